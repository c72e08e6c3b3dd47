/* A connection that forgets nothing: it says what it has seen when it comes back, and sends again what was not heard.

   htmx's websocket extension reconnects only after some close codes, has no acknowledgement and keeps an unbounded queue
   of unsent frames. Here every frame has an identifier and waits in this tab until the server says that it was heard; a
   message waits as a draft until its turn is on the page. Both are sent again after a reconnect, under the same
   identifier: the server takes the second one for the first. The extension would also leave a connection that is still
   being made beside the next one; here there is one at a time. And a connection that answers nothing is given up. */

import { keepDraft } from "./drafts.js";

const NOT_YOURS = 4404;
const SENT_AWAY = 4429; // more was sent than anybody types: come back in a minute
const MAKES_A_TURN = new Set(["send", "retry", "without", "form", "meant"]);
const FIELDS = ["type", "uuid", "message", "turn", "query", "constraint", "rating", "comment", "reasons",
  "act", "instance", "field", "value", "key", "yes", "digest"];
const PATIENCE = 400; // milliseconds until a message that was not heard is shown as waiting
const IDLE = 3_000; // of silence, after which the server is asked whether it is there
const DEAF = 5_000; // without any answer, after which the connection is given up
const OPENING = 8_000; // a connection may take to open
const TRIES = 3; // of a message over connections that did not bring it across
const MANY = 5; // failed connections in a row, after which the notice says that the site cannot be reached
let socket = null; // the extension's wrapper: { send, sendImmediately, reconnect, queue }
let connection = null; // the WebSocket in use, open or being made
let comingBack = 0; // the timer of the next try
let opening = 0; // the timer of a connection that is being made
let attempts = 0; // connections in a row that failed
let heardAt = 0; // when anything came in last
let askedAt = 0; // since when an answer is due; 0 where none is
let waiting = null; // { uuid, body, message, heard, tries }: what becomes a turn, one at a time
const unheard = new Map(); // the rest (stop, a thumb), the latest of each kind for each turn: name → { uuid, body }

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
  document.addEventListener("htmx:wsAfterSend", () => { askedAt ||= Date.now(); });
  document.addEventListener("htmx:wsBeforeMessage", received);
  document.addEventListener("htmx:wsAfterMessage", heard);
  document.addEventListener("click", (event) => { if (event.target.closest("[data-reconnect]")) socket?.reconnect(); });
  window.addEventListener("online", () => socket?.reconnect());
  setInterval(listen, 500);
  restoreUnsent();
}

/* Two reconnects may fall together (a timer, the network that is back): the later one takes the place of the earlier. */
function connect(url) {
  clearTimeout(comingBack);
  clearTimeout(opening);
  if (connection) {
    connection.onopen = connection.onclose = connection.onerror = null;
    connection.close();
  }
  if (!isGone()) setState("no");
  const seen = document.getElementById("cursor")?.dataset.after ?? "";
  const made = new WebSocket(seen ? `${url}?after=${encodeURIComponent(seen)}` : url);
  opening = setTimeout(() => { if (made.readyState === WebSocket.CONNECTING) made.close(); }, OPENING);
  connection = made;
  return made;
}

function delay(retries) {
  return Math.min(15_000, 400 * 2 ** Math.min(retries, 6)) * (0.5 + Math.random() / 2);
}

function opened(event) {
  socket = event.detail.socketWrapper;
  clearTimeout(opening);
  attempts = 0;
  heardAt = Date.now();
  askedAt = 0;
  document.getElementById("offline").hidden = true;
  setState("yes");
  for (const frame of unheard.values()) post(frame.body);
  if (waiting && !waiting.heard) sendAgain();
}

/* What three connections did not bring across goes back to the person instead. */
function sendAgain() {
  waiting.tries = (waiting.tries ?? 0) + 1;
  if (waiting.tries <= TRIES) {
    keepUnsent();
    post(waiting.body);
  } else {
    giveBack(waiting);
    settle();
    refuse("That could not be sent. What you wrote is kept: please try again.");
  }
}

function post(body) {
  askedAt ||= Date.now();
  socket.sendImmediately(body);
}

/* A connection may be dead and not know it (a tunnel, a laptop that slept): whoever gets no answer comes back. */
function listen() {
  if (!isOpen() || document.hidden) return;
  const now = Date.now();
  if (askedAt && now - askedAt > DEAF) {
    askedAt = 0;
    showLost();
    socket.reconnect();
  } else if (!askedAt && now - heardAt > IDLE) post("ping");
}

function closed(event) {
  const code = event.detail.event.code;
  socket ??= event.detail.socketWrapper ?? null;
  askedAt = 0;
  clearTimeout(opening);
  if (code === NOT_YOURS) return leave();
  setState("no");
  attempts += 1;
  setTimeout(() => { if (!isOpen() && !isGone()) showLost(); }, 1200);
  const theExtensionComesBack = [1006, 1011, 1012, 1013].includes(code);
  if (!theExtensionComesBack) comingBack = setTimeout(() => socket.reconnect(), code === SENT_AWAY ? 60_000 : delay(attempts));
}

function showLost() {
  const words = attempts < MANY
    ? "Connection lost. Reconnecting; messages you send now go out once it is back."
    : "The site cannot be reached. What you wrote is kept in this tab. Check your connection.";
  showNotice(words, "reconnect");
}

/* The conversation was deleted, or is no longer this person's: what they wrote goes on to a new one. */
function leave() {
  setState("gone");
  document.querySelector(".turn--waiting")?.remove();
  if (waiting) giveBack(waiting);
  waiting = null;
  keepUnsent();
  keepDraft(document.getElementById("message").value, "/");
  showNotice("This conversation can no longer be opened: it was deleted, or you signed out. What you wrote is kept.", "start");
}

function showNotice(words, way) {
  const notice = document.getElementById("offline");
  notice.querySelector("span").textContent = words;
  for (const control of notice.querySelectorAll("[data-way]")) control.hidden = control.dataset.way !== way;
  notice.hidden = false;
}

function prepare(event) {
  const { parameters, errors } = event.detail;
  if (errors?.length || isGone()) return event.preventDefault();
  if (["send", "meant"].includes(parameters.type)) {
    parameters.message = (parameters.message ?? "").trim();
    if (!parameters.message) return event.preventDefault();
  }
  const frame = Object.fromEntries(FIELDS.filter((name) => parameters[name] !== undefined).map((name) => [name, parameters[name]]));
  if (MAKES_A_TURN.has(frame.type) && waiting) return event.preventDefault(); // a second press is the same wish
  frame.uuid = identifier();
  const body = event.detail.messageBody = JSON.stringify(frame);
  if (MAKES_A_TURN.has(frame.type)) wait(frame, body, event.target.id === "composer");
  else unheard.set(`${frame.type} ${frame.turn}`, { uuid: frame.uuid, body });
  if (!isOpen()) event.preventDefault(); // it goes out when the connection is back, not from the extension's queue
}

function wait(frame, body, fromComposer) {
  waiting = { uuid: frame.uuid, body, message: frame.message ?? "" };
  keepUnsent();
  if (fromComposer) setComposer("");
  const sent = waiting;
  setTimeout(() => showWaiting(sent), isOpen() ? PATIENCE : 0);
}

const isOpen = () => document.documentElement.dataset.connected === "yes";
const isGone = () => document.documentElement.dataset.connected === "gone";
function setState(connected) { document.documentElement.dataset.connected = connected; }

/* Anything at all says that the connection lives; what is not a fragment of the page is for here. */
function received(event) {
  heardAt = Date.now();
  askedAt = 0;
  const { message } = event.detail;
  if (message !== "pong" && !message.startsWith("{")) return;
  event.preventDefault();
  if (message !== "pong") acknowledge(JSON.parse(message).heard);
}

function acknowledge(uuid) {
  for (const [name, frame] of unheard) if (frame.uuid === uuid) unheard.delete(name);
  if (waiting?.uuid === uuid) {
    waiting.heard = true;
    keepUnsent();
  }
}

function heard() {
  const refusal = document.querySelector("#refusal[data-answers]");
  const answers = refusal?.dataset.answers;
  if (refusal) delete refusal.dataset.answers; // told once; what is written from now on is the person's
  if (waiting && document.getElementById(`turn-${waiting.uuid}`)) settle();
  else if (waiting && refusal && [waiting.uuid, ""].includes(answers)) {
    giveBack(waiting);
    settle();
  }
  // The refusal stands over the end of the page; what is being answered stays in view above it.
  if (refusal) document.querySelector("[data-running]")?.scrollIntoView({ block: "start" });
}

function settle() {
  waiting = null;
  keepUnsent();
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

/* What was not accepted comes back to where it was written: words before what was written since, a value to its form. */
function giveBack({ body, message }) {
  if (message) {
    const field = document.getElementById("message");
    setComposer([message, field.value].filter(Boolean).join("\n"));
    field.focus();
  } else document.dispatchEvent(new CustomEvent("unsent", { detail: JSON.parse(body) }));
}

function refuse(words) {
  const refusal = document.getElementById("refusal");
  refusal.className = "refusal";
  refusal.textContent = words;
}

function setComposer(words) {
  const field = document.getElementById("message");
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const unsentName = () => `unsent:${location.pathname}`;

function keepUnsent() {
  try {
    if (waiting && !waiting.heard) sessionStorage.setItem(unsentName(), JSON.stringify(waiting));
    else sessionStorage.removeItem(unsentName());
  } catch { /* private windows keep nothing: fine */ }
}

/* A message that a reload interrupted is sent again; where its turn is on the page already, it is forgotten. */
function restoreUnsent() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(unsentName()));
    if (kept && !document.getElementById(`turn-${kept.uuid}`)) waiting = kept;
    keepUnsent();
  } catch { /* as above */ }
}
