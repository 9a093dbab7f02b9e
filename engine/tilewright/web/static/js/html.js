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

export const html = htm.bind(h);

// A part that is drawn again only for other properties, or for a store that it looks at.
export function memo(Part) {
  return function Kept(props) {
    this.shouldComponentUpdate = (next) => differ(this.props, next);
    return h(Part, props);
  };
}

function differ(one, other) {
  const names = Object.keys(other);
  return names.length !== Object.keys(one).length || names.some((name) => one[name] !== other[name]);
}
