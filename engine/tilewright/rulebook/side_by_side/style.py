"""The style of two rulebooks side by side, after that of a rulebook, for screens and paper."""

from markupsafe import Markup

STYLE = Markup("""
:root { --old-bg: #fcefec; --new-bg: #eaf5ef; --old-mark: #f4cdc6; --new-mark: #c3e5d3; --old-line: #c05a4e;
  --new-line: #2f8468 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --old-bg: #2f2120; --new-bg: #1a2b26; --old-mark: #66312c; --new-mark: #1f5543;
    --old-line: #d0776b; --new-line: #58b894 }
}
body { max-width: 84rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
a { color: var(--accent); text-underline-offset: .2em } nav a { color: inherit }
.verdict { font-size: 1.15rem; max-width: 60rem } .verdict strong { color: var(--accent) }
.breaking strong { color: var(--bad) }
.changes { border-top: 1px solid var(--line); padding: .5rem 0 } .changes > ul { margin: .3rem 0 .6rem }
summary { cursor: pointer } .changes > summary { font-weight: 600 }
.changes .which { font-weight: 400; margin-left: .5rem; overflow-wrap: anywhere }
.changes[open] .which { display: none }
.count { color: var(--soft); font-weight: 400 }
.changes ul { list-style: none; padding-left: 1.4rem; max-width: 64rem } .changes ul ul { color: var(--soft) }
h1, h2, h3, p, summary, .changes li { overflow-wrap: anywhere }
.sign { display: inline-block; width: 1.1rem; margin-left: -1.4rem; text-align: center; margin-right: .3rem;
  font-weight: 700 } .added { color: var(--new-line) } .removed { color: var(--old-line) }
.case { font: .875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; color: var(--soft); margin: .2rem 0;
  overflow-wrap: anywhere }
.hand { border-top: 1px solid var(--line); padding: .6rem 0 } .hand .example { margin: 0 }
nav ol { columns: 3 } nav { margin: 2rem 0 1rem }
.unfold { display: none; align-items: center; gap: .5rem; padding: .5rem 0; cursor: pointer; width: fit-content }
.unfold input { width: 1.1rem; height: 1.1rem; accent-color: var(--accent) }
.names { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 2px solid var(--line);
  font-weight: 600; padding: .5rem 0 }
section, .entry { scroll-margin-top: 3.5rem } h2 .count { font-size: 1rem; margin-left: .6rem; letter-spacing: 0 }
.sides, .names { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem; }
.sides { align-items: start; margin: .5rem 0 }
.side { position: relative; padding: .35rem .9rem .35rem 1.5rem; border-radius: .3rem; overflow-wrap: anywhere;
  min-width: 0 }
.side::before { position: absolute; left: .4rem; top: .35rem; font-weight: 700 }
.old::before { content: "−"; content: "−" / ""; color: var(--old-line) }
.new::before { content: "+"; content: "+" / ""; color: var(--new-line) }
.side > :first-child { margin-top: 0 } .side > :last-child { margin-bottom: 0 }
.side h3 { margin: .3rem 0 } .side > h3:not(:first-child) { margin-top: 1.2rem } .side ul { padding-left: 1.2rem }
.old { border-left: 4px solid var(--old-line); background: var(--old-bg) }
.new { border-left: 4px solid var(--new-line); background: var(--new-bg) }
.side table { display: block; overflow: auto hidden; margin: .3rem 0; overflow-wrap: break-word }
.side > .entry:first-child { border-top: 0; padding-top: .2rem } .side > .entry:last-child { padding-bottom: .2rem }
del, ins { text-decoration-thickness: 1px; text-underline-offset: .2em; border-radius: .2rem; padding: 0 .1em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone }
del { background: var(--old-mark) } ins { background: var(--new-mark) }
del.group, ins.group, del.win, ins.win { padding: 3px; border-radius: .4rem }
del.group, del.win { outline: 2px dashed var(--old-line) } ins.group, ins.win { outline: 2px solid var(--new-line) }
.both { max-width: 52rem } .both .entry h3, .both-head h3 { justify-content: flex-start }
.same { margin: .5rem 0 } .same > summary { color: var(--soft); padding: .15rem 0 }
.same > div { max-width: 52rem; padding: 0 0 .5rem 1rem; border-left: 1px solid var(--line) }
footer.sides { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line) }
.unchanged h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; border-bottom: 1px solid var(--line) }
.unchanged .same { margin: .2rem 0 }
@supports selector(::details-content) and selector(:has(*)) {
  .unfold { display: flex }
  main:has(.unfold :checked) .same::details-content { content-visibility: visible; display: block; height: auto }
}
@media (max-width: 60rem) { nav ol { columns: 2 } .side .tile { width: 1.8rem; height: 2.4rem } }
@media (max-width: 45rem) {
  nav ol { columns: 1 } h1 { font-size: 1.7rem } .sides { grid-template-columns: minmax(0, 1fr); gap: .25rem }
  .names { gap: 0 .5rem; font-size: .9375rem }
  table { font-size: .875rem } .side th, .side td { padding-right: .5rem }
}
@media print {
  html { font-size: 12.5px } body { font-size: 1rem } .unfold, nav, .changes .which { display: none }
  .names { position: static } .names, .sides { gap: 0 .8rem } .side { padding: .2rem .6rem .2rem 1.2rem }
  .side::before { left: .3rem; top: .2rem } .side .tile, .tile { width: 1.6rem; height: 2.13rem }
  .changes::details-content { content-visibility: visible; display: block; height: auto }
  main:not(:has(.unfold :checked)) .unchanged .same:not([open]) { display: none }
  .side > .entry, .same > summary, .changes li, .hand, h2 + .sides, h3 + .sides { break-inside: avoid }
  .changes > summary, .both-head { break-after: avoid }
}
""")
