/* Requests over HTTP. Each carries the token that counts now; one that fails says why and can be tried again. */

const TOKEN = "csrfmiddlewaretoken";
const UNREACHABLE = "The site cannot be reached. Check your connection, then try again.";
const BROKEN = "Something went wrong on our side. Please try again.";
const REASONS = {
  403: "The site did not accept this from here, perhaps because you signed in or out in another tab.",
  404: "That is no longer here. It may have been deleted in another tab.",
  413: "That is too long to send. Please shorten it and try again.",
  429: "Too many requests. Wait a moment, then try again.",
};
let failed = null; // { elt, target, requestConfig } of the request that can be tried again

/* Signing in elsewhere changes the token of every open page; the cookie has the one that counts. */
const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];

export function requests() {
  document.addEventListener("submit", (event) => {
    const field = event.target.elements?.[TOKEN];
    if (field && token()) field.value = token();
  }, true);
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.verb !== "get" && token()) detail.parameters[TOKEN] = token();
  });
  document.addEventListener("htmx:responseError", refused);
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, ({ detail }) => tell(UNREACHABLE, detail));
  for (const name of ["htmx:swapError", "htmx:targetError", "htmx:onLoadError"]) document.addEventListener(name, ({ detail }) => tell(BROKEN, detail));
  document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) hide(); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-failure=again]")) tryAgain();
    if (event.target.closest("[data-failure=dismiss]")) hide();
  });
}

function refused({ detail }) {
  const { xhr, requestConfig } = detail;
  if (xhr.getResponseHeader("X-CSRF-Failure") && !requestConfig.renewed) {
    failed = detail;
    return void tryAgain();
  }
  const plain = xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
  tell(plain && xhr.responseText ? xhr.responseText : REASONS[xhr.status] ?? BROKEN, detail);
}

export function tell(words, detail = null) {
  const notice = document.getElementById("failure");
  failed = detail?.requestConfig ? detail : null;
  notice.querySelector("p").textContent = words;
  notice.querySelector("[data-failure=again]").hidden = !failed;
  notice.hidden = false;
}

function hide() {
  failed = null;
  document.getElementById("failure").hidden = true;
}

async function tryAgain() {
  const { elt, target, requestConfig } = failed;
  const renewed = await renew();
  hide();
  if (!elt.isConnected) return void location.reload(); // the region was replaced meanwhile; drafts survive
  const once = ({ detail }) => { detail.renewed = renewed; };
  document.addEventListener("htmx:configRequest", once, { once: true });
  htmx.ajax(requestConfig.verb, requestConfig.path, { source: elt, target, values: requestConfig.parameters });
}

/* Any page sets the cookie with the token. */
async function renew() {
  try { return (await fetch("/", { cache: "no-store" })).ok; } catch { return false; }
}
