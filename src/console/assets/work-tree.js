import { say } from './say.js'

/** The tree of items by keyboard and pointer: one tab stop, arrow keys, branches that open in place and stay open. */

const table = document.querySelector('table[data-tree]')
const body = table.tBodies[0]
const KEPT = 'work-tree'
const stored = new Map(JSON.parse(localStorage.getItem(KEPT) ?? '[]'))

const levelOf = (row) => Number(row.getAttribute('aria-level'))
const isBranch = (row) => row.hasAttribute('aria-expanded')
const isOpen = (row) => row.getAttribute('aria-expanded') === 'true'
const visible = () => [...body.rows].filter((row) => !row.hidden)

/** All rows below it. */
function below(row) {
  const rows = []
  for (let next = row.nextElementSibling; next && levelOf(next) > levelOf(row); next = next.nextElementSibling)
    rows.push(next)
  return rows
}

function parentOf(row) {
  let above = row.previousElementSibling
  while (above && levelOf(above) >= levelOf(row)) above = above.previousElementSibling
  return above
}

/** Rows take part in the tab order one at a time, and what is in them not at all. */
function adopt(rows) {
  for (const row of rows) {
    row.tabIndex = -1
    for (const part of row.querySelectorAll('a, input')) part.tabIndex = -1
  }
}
adopt(body.rows)
let current = body.rows[0]
if (current) current.tabIndex = 0

function focus(row) {
  if (!row) return
  current.tabIndex = -1
  current = row
  current.tabIndex = 0
  current.focus()
}

const loads = new WeakMap()

/** A second click or key meanwhile does not load it twice. */
async function loadBelow(row) {
  if (!loads.has(row)) loads.set(row, fetchBelow(row))
  await loads.get(row)
  loads.delete(row)
}

/** A long tree has only the rows that are open: others come from the page of their branch. */
async function fetchBelow(row) {
  const response = await fetch(row.querySelector('a.twist').href).catch(() => null)
  const page = response && new DOMParser().parseFromString(await response.text(), 'text/html')
  const rows = [...(page?.querySelectorAll('table[data-tree] tbody tr') ?? [])].slice(1)
  if (rows.length === 0) return say('The service cannot be reached. Try again.')
  const offset = levelOf(row) - 1
  for (const one of rows) {
    const level = levelOf(one) + offset
    one.setAttribute('aria-level', level)
    const title = one.querySelector('th')
    title.className = `level-${Math.min(level, 9)}`
  }
  adopt(rows)
  row.after(...rows)
}

async function open(row, shouldOpen) {
  if (shouldOpen && below(row).length === 0) await loadBelow(row)
  if (shouldOpen && below(row).length === 0) return
  row.setAttribute('aria-expanded', shouldOpen)
  for (const one of below(row)) {
    const parent = parentOf(one)
    one.hidden = parent.hidden || !isOpen(parent)
  }
  if (current.hidden) focus(row)
}

function toggle(row, shouldOpen = !isOpen(row)) {
  stored.delete(row.dataset.id)
  stored.set(row.dataset.id, shouldOpen)
  // The oldest are forgotten.
  while (stored.size > 500) stored.delete(stored.keys().next().value)
  localStorage.setItem(KEPT, JSON.stringify([...stored]))
  return open(row, shouldOpen)
}

body.addEventListener('click', (event) => {
  const row = event.target.closest('tr')
  const twist = event.target.closest('a.twist')
  if (twist && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault()
    toggle(row)
  }
  if (row && !event.target.closest('a.title')) focus(row)
})

const keys = {
  ArrowDown: (row, rows) => focus(rows[rows.indexOf(row) + 1]),
  ArrowUp: (row, rows) => focus(rows[rows.indexOf(row) - 1]),
  Home: (_, rows) => focus(rows[0]),
  End: (_, rows) => focus(rows.at(-1)),
  PageDown: (row, rows) => focus(rows[Math.min(rows.length - 1, rows.indexOf(row) + 15)]),
  PageUp: (row, rows) => focus(rows[Math.max(0, rows.indexOf(row) - 15)]),
  ArrowRight: (row, rows) =>
    isBranch(row) && !isOpen(row) ? toggle(row, true) : isBranch(row) && focus(rows[rows.indexOf(row) + 1]),
  ArrowLeft: (row) => (isBranch(row) && isOpen(row) ? toggle(row, false) : focus(parentOf(row))),
  Enter: (row) => row.querySelector('a.title').click(),
  ' ': (row) => row.querySelector('.box input')?.click(),
}

body.addEventListener('keydown', (event) => {
  const row = event.target.closest('tr')
  if (!row || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  keys[event.key](row, visible())
})

// What was open stays so: rows that are loaded come below their branch, so that this loop meets them too.
for (let row = body.rows[0]; row; row = row.nextElementSibling) {
  const wanted = stored.get(row.dataset.id)
  if (wanted !== undefined && isBranch(row) && !row.hidden && wanted !== isOpen(row)) await open(row, wanted)
}
