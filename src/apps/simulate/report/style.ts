/** The report's looks: Okabe and Ito's colours, which differ for colour-blind eyes too, in both themes. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1a1a1a; --quiet: #5c5c5c; --rule: #d8d8d8; --lead: #e8f3ee;
  --allowed: #a86f00; --promised: #0072b2; --used: #007d5a; --missing: #c24e00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e8e8e8; --quiet: #a3a8ae; --rule: #363b42; --lead: #17352b;
    --allowed: #e69f00; --promised: #56b4e9; --used: #1fc08f; --missing: #ff8040;
  }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; max-width: 70rem; padding: 1rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .25rem 0 }
.quiet { color: var(--quiet) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .25rem .75rem; text-align: right; font-weight: 400; white-space: nowrap; border-bottom: 1px solid var(--rule) }
th[scope=row] { text-align: left; padding-left: 0; position: sticky; left: 0; background: var(--paper) }
th[scope=col] { font-weight: 600 }
tr.part th { padding-left: 1rem }
tr.part { color: var(--quiet) }
td.lead { background: var(--lead); font-weight: 700 }
ul { padding-left: 1.25rem }
.arms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.5rem }
.arms h3 { font-size: 1rem; margin: 0 }
.plot { margin: .5rem 0 0 }
.plot figcaption { font-size: .875rem }
.plot .axis { display: flex; justify-content: space-between; gap: .5rem; font-size: .75rem; color: var(--quiet) }
.plot svg { display: block; width: 100%; height: 8rem; border-bottom: 1px solid var(--rule) }
.plot.low svg { height: 3rem }
path { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke }
path.phase { stroke: var(--rule); stroke-width: 1 }
path.allowed { stroke: var(--allowed); stroke-dasharray: 6 4 }
path.promised { stroke: var(--promised) }
path.used { stroke: none; fill: var(--used); fill-opacity: .35 }
path.missing { stroke: none; fill: var(--missing) }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; padding: 0; list-style: none }
.key svg { width: 1.75rem; height: .75rem; vertical-align: middle; margin-right: .35rem }
`
