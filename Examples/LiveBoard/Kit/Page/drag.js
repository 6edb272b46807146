// Dragging cards with a mouse, a pen or a finger, by pointer events.

/** How far a pointer moves before a card follows it; less is a click. */
const threshold = 5;

/**
 * Calls `begun` when a card is lifted, and `ended` with it and its new place: its stage and the ID of
 * the card that it stands before; without a place if it was put back.
 */
export function startDragging(board, { begun, ended }) {
  board.addEventListener("pointerdown", (down) => {
    const card = down.target.closest(".card");
    // A second finger changes nothing.
    if (!card || down.button || !down.isPrimary || down.target.closest("button, .editor")) return;
    // A finger scrolls, but for one on the grip.
    if (down.pointerType === "touch" && !down.target.closest(".grip")) return;
    let drag;
    const listening = new AbortController();
    const listen = (type, handler) => addEventListener(type, handler, { signal: listening.signal });
    const end = (isDropped) => {
      listening.abort();
      if (!drag) return;
      const place = drag.end(isDropped);
      ended(card, place);
      card.focus();
    };
    listen("pointermove", (event) => {
      if (event.pointerId !== down.pointerId) return;
      const distance = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!drag && distance < threshold) return;
      if (!drag) {
        if (!card.isConnected) return end(false);
        begun();
        drag = new Drag(board, card, down);
      }
      drag.follow(event);
    });
    listen("pointerup", (event) => { if (event.pointerId === down.pointerId) end(true); });
    listen("pointercancel", (event) => { if (event.pointerId === down.pointerId) end(false); });
    listen("blur", () => end(false));
    listen("keydown", (event) => { if (event.key === "Escape") end(false); });
    // Else the text under the pointer would be selected.
    down.preventDefault();
    card.focus();
  });
}

/** A card that follows a pointer, and the gap that it would be put into. */
class Drag {
  constructor(board, card, { clientX, clientY }) {
    const { left, top, width, height } = card.getBoundingClientRect();
    this.board = board;
    this.card = card;
    this.start = { parent: card.parentElement, next: card.nextElementSibling };
    this.offset = { x: clientX - left, y: clientY - top };
    this.gap = document.createElement("li");
    this.gap.className = "gap-for-card";
    this.gap.ariaHidden = "true";
    this.gap.style.blockSize = `${height}px`;
    card.after(this.gap);
    card.style.inlineSize = `${width}px`;
    card.style.blockSize = `${height}px`;
    card.classList.add("is-dragged");
  }

  follow({ clientX, clientY }) {
    this.pointer = { clientX, clientY };
    this.card.style.left = `${clientX - this.offset.x}px`;
    this.card.style.top = `${clientY - this.offset.y}px`;
    this.#moveGap();
    this.scrolling ??= requestAnimationFrame(() => this.#scroll());
  }

  /** Scrolls for as long as the pointer is at an edge of the window, also while it rests there. */
  #scroll() {
    const { clientY } = this.pointer;
    const edge = 48;
    const way = clientY < edge ? -8 : clientY > innerHeight - edge ? 8 : 0;
    this.scrolling = undefined;
    if (!way) return;
    scrollBy(0, way);
    this.#moveGap();
    this.scrolling = requestAnimationFrame(() => this.#scroll());
  }

  /** Puts the gap where the card would be put down. */
  #moveGap() {
    const { clientX, clientY } = this.pointer;
    const column = this.#columnAt(clientX, clientY);
    if (!column) return;
    const middle = clientY - this.offset.y + this.card.offsetHeight / 2;
    const list = column.querySelector(".cards");
    const next = [...list.querySelectorAll(".card:not(.is-dragged)")].find((each) => {
      const { top, height } = each.getBoundingClientRect();
      return middle < top + height / 2;
    });
    const before = next ?? null;
    if (this.gap.parentElement !== list || this.gap.nextElementSibling !== before) {
      list.insertBefore(this.gap, before);
    }
    column.querySelector(".empty").hidden = true;
  }

  /** Puts the card down; returns its place if that is another one. */
  end(isDropped) {
    cancelAnimationFrame(this.scrolling);
    const stage = this.gap.closest(".column").dataset.stage;
    const after = [...this.#following()].find((each) => each !== this.card);
    const { parent, next } = this.start;
    const isSame = this.gap.parentElement === parent && (after ?? null) === next;
    this.gap.remove();
    this.card.classList.remove("is-dragged");
    this.card.removeAttribute("style");
    return isDropped && !isSame ? { stage, before: after?.dataset.id } : undefined;
  }

  *#following() {
    for (let each = this.gap.nextElementSibling; each; each = each.nextElementSibling) yield each;
  }

  #columnAt(x, y) {
    return [...this.board.querySelectorAll(".column")].find((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return x >= left && x < right && y >= top && y < bottom;
    });
  }
}
