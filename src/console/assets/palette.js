import { say } from './console.js'

/** The command palette: what the search page finds, while one types. Arrow keys choose, Enter goes there, Escape closes. */
const WAIT_MS = 120

let dialog = null

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  event.preventDefault()
  if (dialog) dialog.close()
  else open()
})

function open() {
  dialog = document.createElement('dialog')
  dialog.className = 'palette'
  dialog.ariaLabel = 'Go to'
  dialog.innerHTML =
    '<input type="search" role="combobox" aria-label="Go to a page, an operation, a work item or an appointment" aria-expanded="true" aria-controls="palette-found" autocomplete="off" spellcheck="false"><div id="palette-found" role="listbox" aria-label="Found"></div>'
  const input = dialog.querySelector('input')
  input.placeholder = 'Page, operation, words or reference'
  const list = dialog.querySelector('div')
  let timer = null
  input.addEventListener('input', () => {
    isStale = true
    isChosen = false
    // An answer on its way is to words that the box no longer holds.
    asking?.abort()
    clearTimeout(timer)
    timer = setTimeout(() => find(input, list), WAIT_MS)
  })
  input.addEventListener('keydown', (event) => onKey(event, input, list))
  dialog.addEventListener('close', () => {
    dialog.remove()
    dialog = null
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  isStale = true
  isChosen = false
  document.body.append(dialog)
  dialog.showModal()
  find(input, list)
}

let asking = null
/** Whether the list is of other words than those in the box; and whether Enter was pressed meanwhile, for what will be found. */
let [isStale, isChosen] = [false, false]
async function find(input, list) {
  asking?.abort()
  asking = new AbortController()
  const { signal } = asking
  try {
    const answer = await fetch(`/console/search?${new URLSearchParams({ q: input.value })}`, { signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const found = page.getElementById('found')
    if (signal.aborted) return
    if (!answer.ok || !found) throw new Error()
    list.replaceChildren(...found.childNodes)
    dress(list)
    choose(input, list, 0)
    isStale = false
    if (isChosen) linksOf(list)[0]?.click()
    isChosen = false
  } catch {
    if (signal.aborted) return
    isChosen = false
    say('The service cannot be reached. Try again.')
  }
}

/** For screen readers the links are the options of a list. */
function dress(list) {
  for (const [index, group] of list.querySelectorAll('section').entries()) {
    const heading = group.querySelector('h2')
    heading.id = `palette-group-${index}`
    heading.setAttribute('role', 'presentation')
    group.setAttribute('role', 'group')
    group.setAttribute('aria-labelledby', heading.id)
    for (const element of group.querySelectorAll('ul, li')) element.setAttribute('role', 'presentation')
  }
  for (const [index, link] of linksOf(list).entries()) {
    link.id = `palette-${index}`
    link.setAttribute('role', 'option')
    link.tabIndex = -1
  }
}

const linksOf = (list) => [...list.querySelectorAll('a')]

function choose(input, list, wanted) {
  const links = linksOf(list)
  const index = links.length === 0 ? -1 : (wanted + links.length) % links.length
  for (const [at, link] of links.entries()) link.setAttribute('aria-selected', String(at === index))
  input.setAttribute('aria-activedescendant', links[index]?.id ?? '')
  links[index]?.scrollIntoView({ block: 'nearest' })
}

function onKey(event, input, list) {
  const links = linksOf(list)
  const current = links.findIndex((link) => link.ariaSelected === 'true')
  if (event.key === 'ArrowDown') choose(input, list, current + 1)
  else if (event.key === 'ArrowUp') choose(input, list, current - 1)
  else if (event.key === 'Enter' && isStale) isChosen = true
  else if (event.key === 'Enter') links[current]?.click()
  else return
  event.preventDefault()
}
