// What every module draws with: preact, its hooks, and `html` (htm bound to preact). Text is text: nothing here takes markup.

import { Fragment, createContext, h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { Fragment, createContext, h, render };
export {
  useCallback,
  useContext,
  useEffect,
  useErrorBoundary,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "../vendor/hooks.js";

/**
 * What is between tags: a handler is given what happened. Properties are not checked, since htm reads them from a text.
 *
 * @type {(texts: TemplateStringsArray, ...values: (Handler | object | string | number | bigint | boolean | null |
 *   undefined)[]) => VNode}
 */
// @ts-expect-error: htm's own types have `any` here, and a list of parts where a text has several
export const html = htm.bind(h);

// A part that is drawn again only for other properties, or for a store that it looks at.
/** @template {object} P @param {import("../vendor/preact.js").FunctionComponent<P>} Part */
export function memo(Part) {
  /** @this {{ props: object, shouldComponentUpdate(next: object): boolean }} @param {P} props */
  return function Kept(props) {
    this.shouldComponentUpdate = (next) => differ(this.props, next);
    return h(Part, props);
  };
}

/** @param {object} one @param {object} other */
function differ(one, other) {
  const was = new Map(Object.entries(one));
  const now = Object.entries(other);
  return was.size !== now.length || now.some(([name, value]) => was.get(name) !== value);
}
