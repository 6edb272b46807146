// The board without its page: the cards as the server has them, and the changes that it does not
// have yet.

export const stages = ["todo", "doing", "done"];

/** The cards after a difference, as `ListDifference` of the server describes it. */
export function applied(cards, { removed = [], moved = [], inserted = [], updated = [] }) {
  const leaving = new Set([...removed.map((each) => each.index), ...moved.map((each) => each.from)]);
  const arriving = [
    ...inserted,
    ...moved.map(({ from, to }) => ({ index: to, row: cards[from] })),
  ].sort((a, b) => a.index - b.index);
  const result = cards.filter((_, index) => !leaving.has(index));
  for (const { index, row } of arriving) result.splice(index, 0, row);
  for (const { index, row } of updated) result[index] = row;
  return result;
}

/** The cards with one change. */
function changed(cards, change) {
  const card = cards.find((each) => each.id === change.id);
  const others = cards.filter((each) => each !== card);
  switch (change.kind) {
    case "add":
      if (card) return cards;
      return placed(others, { id: change.id, title: change.title, stage: change.stage }, change.before);
    case "edit":
      return cards.map((each) => (each === card ? { ...each, title: change.title } : each));
    case "move":
      return card ? placed(others, { ...card, stage: change.stage }, change.before) : cards;
    case "delete":
      return others;
  }
}

/** The cards with one more, before another one of its column or at its end. */
function placed(cards, card, before) {
  const index = cards.findIndex((each) => each.id === before && each.stage === card.stage);
  return index < 0 ? [...cards, card] : cards.toSpliced(index, 0, card);
}

/** Whether two lists of cards look the same on the board. */
function areAlike(one, other) {
  const view = (cards) => JSON.stringify(stages.map((stage) =>
    cards.filter((each) => each.stage === stage).map(({ id, title }) => [id, title])));
  return view(one) === view(other);
}

/** An ID as the server writes it; `crypto.randomUUID` exists on secure origins alone. */
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/**
 * The changes of this page on their way to the server, one after the other.
 *
 * A change that gets no answer is sent again until the server answers: it was made, or it is refused.
 * They outlive a reload of the page.
 */
export class Outbox {
  /** Those that the server has made, but whose event has not come yet, are still shown. */
  #changes;
  /** The cards as the server has them. */
  #cards = [];
  #isSending = false;
  #pause = 0;
  #timer = 0;

  /**
   * `updated` is called after each step, `refused` with a change and the server's sentence; `isLive`
   * says whether events come.
   */
  constructor({ updated, refused, isLive }) {
    this.updated = updated;
    this.refused = refused;
    this.isLive = isLive;
    this.#changes = JSON.parse(sessionStorage.getItem("changes") ?? "[]")
      .filter((each) => !each.isMade);
  }

  /** How many changes the server has not confirmed. */
  get waiting() {
    return this.#changes.filter((each) => !each.isMade).length;
  }

  has(id) {
    return this.#changes.some((each) => each.id === id);
  }

  /** The cards as they will be, and which of them the server does not have like that. */
  get shown() {
    const waiting = new Set(this.#changes.filter((each) => !each.isMade).map((each) => each.id));
    return this.#changes.reduce(changed, this.#cards)
      .map((card) => ({ ...card, isWaiting: waiting.has(card.id) }));
  }

  add(change) {
    this.#changes.push(change);
    this.#store();
    this.send();
  }

  /** Takes the cards as the server has them. */
  receive(cards) {
    this.#cards = cards;
    this.#settle();
    this.#store();
  }

  /**
   * Forgets the changes that the server has made and that its cards show, each with the earlier ones
   * of the same card: one event may tell of several changes, and comes before or after their answers.
   */
  #settle() {
    const shown = new Map();
    this.#changes.forEach((each, index) => {
      if (each.isMade && this.#isShown(each)) shown.set(each.id, index);
    });
    this.#changes = this.#changes.filter((each, index) => !(index <= shown.get(each.id)));
  }

  #isShown(change) {
    if (!this.#cards.some((each) => each.id === change.id)) {
      // The event that adds the card may be on its way.
      return change.kind === "delete"
        && !this.#changes.some((each) => each.kind === "add" && each.id === change.id);
    }
    return areAlike(this.#cards, changed(this.#cards, change));
  }

  /** Sends what waits, at once. */
  async send() {
    if (this.#isSending) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    for (let change; (change = this.#changes.find((each) => !each.isMade)); ) {
      const answer = await this.#request(change);
      if (!answer) {
        this.#pause = Math.min(10_000, this.#pause * 2 || 500);
        this.#timer = setTimeout(() => this.send(), this.#pause);
        break;
      }
      this.#pause = 0;
      if (answer.isMade) {
        change.isMade = true;
        this.#settle();
        this.#forgetLater(change);
      } else {
        this.#changes = this.#changes.filter((each) => each !== change);
        this.refused(change, answer.message);
      }
      this.#store();
    }
    this.#isSending = false;
  }

  /** Asks the server; `undefined` if it is away. */
  async #request({ kind, id, title, stage, before }) {
    const method = { add: "PUT", edit: "PATCH", move: "PATCH", delete: "DELETE" }[kind];
    const body = kind === "delete" ? undefined : JSON.stringify({ title, stage, before });
    try {
      const response = await fetch(`/cards/${id}`, {
        method, body, headers: body ? { "Content-Type": "application/json" } : {},
        signal: AbortSignal.timeout(20_000),
      });
      if (response.ok) return { isMade: true };
      if (response.status >= 500 || response.status === 429) return undefined;
      const message = (await response.json().catch(() => ({})))?.error?.message;
      return { message: message ?? `The server has refused it (${response.status}).` };
    } catch {
      return undefined;
    }
  }

  /** Its event has come by then, or another page has changed the card again. */
  #forgetLater(change) {
    setTimeout(() => {
      if (!this.isLive()) return this.#forgetLater(change);
      this.#changes = this.#changes.filter((each) => each !== change);
      this.#store();
    }, 2_000);
  }

  #store() {
    sessionStorage.setItem("changes", JSON.stringify(this.#changes));
    this.updated();
  }
}
