/* A connection that forgets nothing: it says what it has seen when it comes back, and sends again what was not heard.

   htmx's websocket extension reconnects only after some close codes and keeps an unbounded queue of unsent frames.
   Here every message has an identifier, waits as one draft in this tab until its turn is on the page, and is sent again
   under the same identifier after a reconnect: the server takes the second one for the first. The extension would also
   leave a connection that is still being made beside the next one; here there is one at a time. */

const NOT_YOURS = 4404;
const NEEDS_IDENTIFIER = new Set(["send", "retry", "without", "form"]);
const PATIENCE = 400; // milliseconds until a message that was not heard is shown as waiting
let socket = null; // the extension's wrapper: { send, sendImmediately, reconnect, queue }
let connection = null; // the WebSocket in use, open or being made
let comingBack = 0; // the timer of the next try
let attempts = 0;
let waiting = null; // { uuid, body, message }

export function identifier() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = [...crypto.getRandomValues(new Uint8Array(16))];
  hex[6] = (hex[6] & 0x0f) | 0x40;
  hex[8] = (hex[8] & 0x3f) | 0x80;
  return hex.map((byte) => byte.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function connectReliably() {
  if (!document.querySelector("[ws-connect]")) return;
  htmx.config.wsReconnectDelay = delay;
  htmx.createWebSocket = connect;
  document.addEventListener("htmx:wsOpen", opened);
  document.addEventListener("htmx:wsClose", closed);
  document.addEventListener("htmx:wsConfigSend", prepare);
  document.addEventListener("htmx:wsAfterMessage", heard);
  window.addEventListener("online", () => socket?.reconnect());
  restoreDraft();
}

/* Two reconnects may fall together (a timer, the network that is back): the later one takes the place of the earlier. */
function connect(url) {
  clearTimeout(comingBack);
  if (connection) {
    connection.onopen = connection.onclose = connection.onerror = null;
    connection.close();
  }
  document.documentElement.dataset.connected = "no";
  const seen = document.getElementById("cursor")?.dataset.after ?? "";
  connection = new WebSocket(seen ? `${url}?after=${encodeURIComponent(seen)}` : url);
  return connection;
}

function delay(retries) {
  return Math.min(15_000, 400 * 2 ** Math.min(retries, 6)) * (0.5 + Math.random() / 2);
}

function opened(event) {
  socket = event.detail.socketWrapper;
  attempts = 0;
  document.getElementById("offline").hidden = true;
  document.documentElement.dataset.connected = "yes";
  if (waiting) sendAgain();
}

/* What three connections did not bring across goes back to the person instead. */
function sendAgain() {
  waiting.tries = (waiting.tries ?? 0) + 1;
  if (waiting.tries <= 3) {
    keepDraft();
    socket.sendImmediately(waiting.body);
  } else {
    giveBack(waiting.message);
    settle();
  }
}

function closed(event) {
  const code = event.detail.event.code;
  document.documentElement.dataset.connected = "no";
  if (code === NOT_YOURS) return void location.assign("/");
  const notice = document.getElementById("offline");
  setTimeout(() => { notice.hidden = document.documentElement.dataset.connected === "yes"; }, 1200);
  const theExtensionComesBack = [1006, 1011, 1012, 1013].includes(code);
  if (!theExtensionComesBack) comingBack = setTimeout(() => event.detail.socketWrapper.reconnect(), delay(attempts++));
}

function prepare(event) {
  const { parameters } = event.detail;
  if (parameters.type === "send") {
    parameters.message = (parameters.message ?? "").trim();
    if (!parameters.message) return event.preventDefault();
  }
  const kept = ["type", "uuid", "message", "turn", "query", "constraint", "rating", "comment",
    "act", "instance", "field", "value", "key", "yes", "digest"];
  const frame = Object.fromEntries(kept.filter((name) => parameters[name] !== undefined).map((name) => [name, parameters[name]]));
  if (NEEDS_IDENTIFIER.has(frame.type)) {
    if (waiting) return event.preventDefault(); // one at a time: a second press is the same wish
    frame.uuid = identifier();
  }
  event.detail.messageBody = JSON.stringify(frame);
  if (!NEEDS_IDENTIFIER.has(frame.type)) return;
  waiting = { uuid: frame.uuid, body: event.detail.messageBody, message: frame.message ?? "" };
  keepDraft();
  if (event.target.id === "composer") clearComposer();
  setTimeout(() => showWaiting(waiting), isOpen() ? PATIENCE : 0);
  if (!isOpen()) event.preventDefault(); // it goes out when the connection is back, not from the extension's queue
}

const isOpen = () => document.documentElement.dataset.connected === "yes";

function heard() {
  const refusal = document.querySelector("#refusal[data-unsent]");
  if (refusal) {
    giveBack(refusal.dataset.unsent);
    delete refusal.dataset.unsent; // told once; what is written from now on is the person's
  }
  if (waiting && (refusal || document.getElementById(`turn-${waiting.uuid}`))) {
    settle();
  }
  // The refusal stands over the end of the page; what is being answered stays in view above it.
  if (refusal) document.querySelector("[data-running]")?.scrollIntoView({ block: "start" });
}

function settle() {
  waiting = null;
  keepDraft();
  document.querySelector(".turn--waiting")?.remove();
}

function showWaiting(message) {
  if (!message || message !== waiting || !message.message || document.querySelector(".turn--waiting")) return;
  const turn = document.getElementById("waiting").content.cloneNode(true);
  turn.querySelector(".question__words").textContent = message.message;
  turn.querySelector("[data-waiting]").textContent = isOpen() ? "Sending" : "Waiting for the connection";
  document.getElementById("turns").after(turn);
  document.querySelector(".turn--waiting").scrollIntoView({ block: "start" });
}

/* Words that were not accepted come back into the composer, unless something new was written meanwhile. */
function giveBack(words) {
  const field = document.getElementById("message");
  if (words && !field.value) field.value = words;
  field.focus();
}

function clearComposer() {
  const field = document.getElementById("message");
  field.value = "";
  field.dispatchEvent(new Event("input"));
}

const draftName = () => `unsent:${location.pathname}`;

function keepDraft() {
  try {
    if (waiting) sessionStorage.setItem(draftName(), JSON.stringify(waiting));
    else sessionStorage.removeItem(draftName());
  } catch { /* private windows keep nothing: fine */ }
}

/* A message that a reload interrupted is sent again; where its turn is on the page already, it is forgotten. */
function restoreDraft() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(draftName()));
    if (kept && !document.getElementById(`turn-${kept.uuid}`)) waiting = kept;
    keepDraft();
  } catch { /* as above */ }
}
