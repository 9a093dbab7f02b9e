// Elements of the page by selectors.

/** @param {ParentNode} box @param {string} what @returns {HTMLElement[]} */
export const allIn = (box, what) => [...box.querySelectorAll(/** @type {"div"} */ (what))];

/** @param {ParentNode} box @param {string} what @returns {HTMLElement | null} */
export const oneIn = (box, what) => box.querySelector(/** @type {"div"} */ (what));

// Where something happened, if that is an element.
/** @param {{ target: EventTarget | null }} event */
export const placeOf = ({ target }) => (target instanceof Element ? target : null);
