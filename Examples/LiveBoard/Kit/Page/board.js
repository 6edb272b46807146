// The page: shows the cards, turns what is done to them into changes, and says what has happened.

import { startDragging } from "/drag.js";
import { Outbox, applied, newID, stages } from "/model.js";

const names = { todo: "To do", doing: "Doing", done: "Done" };
const columns = new Map([...document.querySelectorAll(".column")].map((each) => [each.dataset.stage, each]));
const cardTemplate = document.getElementById("card").content.firstElementChild;
const editorTemplate = document.getElementById("editor").content.firstElementChild;
const adderTemplate = document.getElementById("adder").content.firstElementChild;
const connection = document.getElementById("connection");
const announcer = document.getElementById("announcer");
const alarm = document.getElementById("alarm");
const notices = document.getElementById("notices");

/** The cards as the server has them, in order; `undefined` before the first event. */
let cards;
let state = "connecting";
let isDragging = false;

const outbox = new Outbox({
  updated: render,
  isLive: () => state === "live",
  refused: (change, message) => {
    const text = change.title ? ` Your text was: “${change.title}”.` : "";
    notify(`${message}${text}`, { isAlarm: true });
  },
});

// What the server says.

function connect() {
  const events = new EventSource("/cards/events");
  events.onopen = () => setState("live");
  events.onerror = () => {
    setState("offline");
    // It tries again by itself unless the server has answered with something else than a stream.
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1_000);
  };
  events.addEventListener("reset", ({ data }) => show(JSON.parse(data)));
  events.addEventListener("difference", ({ data }) => {
    const difference = JSON.parse(data);
    // While the changes of this page are still known as its own.
    announceDifference(cards, difference);
    show(applied(cards, difference));
  });
}

function show(newCards) {
  cards = newCards;
  outbox.receive(cards);
}

function setState(newState) {
  state = newState;
  if (state === "live") outbox.send();
  render();
}

/** Says what others have done; what this page has done was said when it was done. */
function announceDifference(old, { removed = [], inserted = [], updated = [] }) {
  const sentences = [
    ...inserted.filter(({ row }) => !outbox.has(row.id))
      .map(({ row }) => `“${row.title}” was added to ${names[row.stage]}.`),
    ...removed.filter(({ id }) => !outbox.has(id))
      .map(({ index }) => `“${old[index].title}” was deleted.`),
    ...updated.filter(({ row }) => !outbox.has(row.id)).map(({ row }) => {
      const before = old.find((each) => each.id === row.id);
      if (before.stage !== row.stage) return `“${row.title}” was moved to ${names[row.stage]}.`;
      return before.title === row.title ? "" : `“${before.title}” is now called “${row.title}”.`;
    }),
  ];
  announce(sentences.filter((each) => each).join(" "));
}

// What the page shows.

function render() {
  renderConnection();
  if (!cards || isDragging) return;
  const all = outbox.shown;
  const focused = document.activeElement;
  const places = new Map([...document.querySelectorAll(".card")].map((each) => [each, each.getBoundingClientRect()]));
  const elements = new Map([...places.keys()].map((each) => [each.dataset.id, each]));
  for (const stage of stages) {
    const column = columns.get(stage);
    const list = column.querySelector(".cards");
    const own = all.filter((each) => each.stage === stage);
    let next = list.firstElementChild;
    for (const [index, card] of own.entries()) {
      const element = elements.get(card.id) ?? makeCard(card);
      elements.delete(card.id);
      fill(element, card, { isFirst: index === 0, isLast: index === own.length - 1 });
      if (element === next) next = next.nextElementSibling;
      else list.insertBefore(element, next);
    }
    column.querySelector(".count").textContent = own.length;
    column.querySelector(".empty").hidden = own.length > 0;
  }
  for (const element of elements.values()) removeCard(element);
  if (focused?.isConnected && focused !== document.activeElement) focused.focus();
  animate(places);
}

function renderConnection() {
  const waiting = outbox.waiting;
  const changes = waiting === 1 ? "1 change waits" : `${waiting} changes wait`;
  connection.dataset.state = state;
  const text = {
    connecting: "Connecting…",
    live: "Live",
    offline: waiting ? `Offline, ${changes}` : "Offline, connecting again…",
  }[state];
  // Assistive technology reads it whenever it is set.
  if (connection.textContent !== text) connection.textContent = text;
}

function makeCard({ id }) {
  const element = cardTemplate.cloneNode(true);
  element.dataset.id = id;
  setTabbable(element, false);
  return element;
}

function fill(element, { title, stage, isWaiting }, { isFirst, isLast }) {
  element.querySelector(".title").textContent = title;
  element.classList.toggle("is-waiting", isWaiting);
  const stageIndex = stages.indexOf(stage);
  const labels = {
    left: stageIndex > 0 && `Move “${title}” to ${names[stages[stageIndex - 1]]}`,
    right: stageIndex < 2 && `Move “${title}” to ${names[stages[stageIndex + 1]]}`,
    up: !isFirst && `Move “${title}” up`,
    down: !isLast && `Move “${title}” down`,
    edit: `Edit “${title}”`,
    delete: `Delete “${title}”`,
  };
  for (const button of element.querySelectorAll(".actions button")) {
    const label = labels[button.dataset.action];
    button.disabled = !label;
    button.ariaLabel = label || null;
    if (!button.classList.contains("word")) button.title = label || "";
  }
}

/** Takes a card out that is gone, and keeps what was being typed in it. */
function removeCard(element) {
  const text = element.querySelector(".editor input")?.value;
  const title = element.querySelector(".title").textContent;
  if (element.contains(document.activeElement)) {
    (neighbour(element) ?? element.closest(".column").querySelector(".adder input")).focus();
  }
  element.remove();
  if (text && text !== title) {
    notify(`“${title}” was deleted by another page. Your text was: “${text}”.`, { isAlarm: true });
  }
}

/** Lets cards that have changed their places glide there. */
function animate(places) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [element, old] of places) {
    if (!element.isConnected) continue;
    const now = element.getBoundingClientRect();
    const [x, y] = [old.left - now.left, old.top - now.top];
    if (x || y) {
      element.animate(
        [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
        { duration: 180, easing: "ease-out" });
    }
  }
}

/** Has a sentence read; a second one that follows at once is added to the first. */
function announce(sentence) {
  if (!sentence) return;
  announcer.textContent = announcer.textContent ? `${announcer.textContent} ${sentence}` : sentence;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => { announcer.textContent = ""; }, 3_000);
}

/** Shows a sentence, with a button that does something about it. */
function notify(sentence, { isAlarm = false, label, action } = {}) {
  if (isAlarm) alarm.textContent = sentence;
  const notice = document.createElement("div");
  notice.className = isAlarm ? "notice is-alarm" : "notice";
  const text = document.createElement("p");
  text.textContent = sentence;
  notice.append(text);
  const addButton = (name, run) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.onclick = () => { notice.remove(); run?.(); };
    notice.append(button);
  };
  if (label) addButton(label, action);
  addButton("Close");
  // One is enough, except for those that hold a text which would be lost.
  for (const each of notices.querySelectorAll(".notice:not(.is-alarm)")) each.remove();
  notices.append(notice);
  if (!isAlarm) removeLater(notice);
}

/** Takes a notice away after a while, unless it is being used. */
function removeLater(notice) {
  setTimeout(() => {
    if (notice.matches(":hover, :focus-within")) removeLater(notice);
    else notice.remove();
  }, 15_000);
}

// What is done to cards.

function cardOf(element) {
  return outbox.shown.find((each) => each.id === element.dataset.id);
}

function elementOf(id) {
  return document.querySelector(`.card[data-id="${id}"]`);
}

/** The card that stands beside another one in its column. */
function neighbour(element) {
  return element.nextElementSibling ?? element.previousElementSibling;
}

function move(element, stage, before) {
  const card = cardOf(element);
  outbox.add({ kind: "move", id: card.id, stage, before });
  const own = outbox.shown.filter((each) => each.stage === stage);
  const place = own.findIndex((each) => each.id === card.id) + 1;
  announce(`“${card.title}” is now ${place} of ${own.length} in ${names[stage]}.`);
}

/** Moves a card by one column or place; does nothing at the end. */
function step(element, direction) {
  const { stage } = cardOf(element);
  if (direction === "left" || direction === "right") {
    const other = stages[stages.indexOf(stage) + (direction === "left" ? -1 : 1)];
    if (!other) return;
    // At the same height, as far as there are cards.
    const index = [...element.parentElement.children].indexOf(element);
    move(element, other, columns.get(other).querySelectorAll(".card")[index]?.dataset.id);
  } else if (direction === "up") {
    if (element.previousElementSibling) move(element, stage, element.previousElementSibling.dataset.id);
  } else if (element.nextElementSibling) {
    move(element, stage, element.nextElementSibling.nextElementSibling?.dataset.id);
  }
}

function deleteCard(element) {
  const { id, title, stage } = cardOf(element);
  const before = element.nextElementSibling?.dataset.id;
  outbox.add({ kind: "delete", id });
  announce(`“${title}” was deleted.`);
  notify(`“${title}” was deleted.`, {
    label: "Undo",
    action: () => {
      // A new ID: the deletion may still be on its way.
      const copy = newID();
      outbox.add({ kind: "add", id: copy, title, stage, before });
      announce(`“${title}” is back.`);
      elementOf(copy)?.focus();
    },
  });
}

function edit(element) {
  if (element.querySelector(".editor")) return;
  const { id, title } = cardOf(element);
  const editor = editorTemplate.cloneNode(true);
  const input = editor.elements.title;
  input.value = title;
  input.ariaLabel = `Title of “${title}”`;
  const close = () => {
    editor.remove();
    element.classList.remove("is-edited");
    element.focus();
  };
  editor.onsubmit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return input.focus();
    close();
    const present = cardOf(element)?.title;
    if (text === present) return;
    outbox.add({ kind: "edit", id, title: text });
    announce(`“${present}” is now called “${text}”.`);
  };
  editor.onkeydown = (event) => { if (event.key === "Escape") close(); };
  editor.querySelector("[data-action=cancel]").onclick = close;
  element.classList.add("is-edited");
  element.append(editor);
  input.select();
}

const actions = { edit, delete: deleteCard };

for (const [stage, column] of columns) {
  const adder = adderTemplate.cloneNode(true);
  const input = adder.elements.title;
  input.ariaLabel = `New task in ${names[stage]}`;
  adder.onsubmit = (event) => {
    event.preventDefault();
    const title = input.value.trim();
    if (!title) return;
    input.value = "";
    outbox.add({ kind: "add", id: newID(), title, stage });
    announce(`“${title}” was added to ${names[stage]}.`);
  };
  column.append(adder);
}

const board = document.getElementById("board");

board.addEventListener("click", ({ target }) => {
  const button = target.closest(".actions button");
  if (!button) return;
  const { action } = button.dataset;
  const element = button.closest(".card");
  if (actions[action]) actions[action](element);
  else step(element, action);
  if (button.disabled) element.focus();
});

board.addEventListener("dblclick", ({ target }) => {
  if (target.closest(".card") && !target.closest("button, .editor")) edit(target.closest(".card"));
});

board.addEventListener("keydown", (event) => {
  const element = event.target;
  if (!element.classList.contains("card") || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = /^Arrow(Left|Right|Up|Down)$/.exec(event.key)?.[1].toLowerCase();
  if (arrow && event.shiftKey) step(element, arrow);
  else if (arrow) focusFrom(element, arrow);
  else if (event.key === "Enter" || event.key === "F2") edit(element);
  else if (event.key === "Delete" || event.key === "Backspace") deleteCard(element);
  else return;
  event.preventDefault();
});

function focusFrom(element, direction) {
  if (direction === "up") return element.previousElementSibling?.focus();
  if (direction === "down") return element.nextElementSibling?.focus();
  const index = [...element.parentElement.children].indexOf(element);
  const from = stages.indexOf(element.closest(".column").dataset.stage);
  const others = direction === "left" ? stages.slice(0, from).reverse() : stages.slice(from + 1);
  for (const stage of others) {
    const list = [...columns.get(stage).querySelectorAll(".card")];
    if (list.length) return list[Math.min(index, list.length - 1)].focus();
  }
}

// The buttons of a card are in the order of the tab key only while the card has the focus.
function setTabbable(element, isTabbable) {
  for (const button of element?.querySelectorAll(".actions button") ?? []) {
    button.tabIndex = isTabbable ? 0 : -1;
  }
}
board.addEventListener("focusin", ({ target }) => setTabbable(target.closest(".card"), true));
board.addEventListener("focusout", ({ target, relatedTarget }) => {
  const card = target.closest(".card");
  if (card && !card.contains(relatedTarget)) setTabbable(card, false);
});

startDragging(board, {
  begun: () => { isDragging = true; },
  ended: (element, place) => {
    isDragging = false;
    if (place) move(element, place.stage, place.before);
    render();
  },
});

addEventListener("beforeunload", (event) => { if (outbox.waiting) event.preventDefault(); });
connect();
outbox.send();
