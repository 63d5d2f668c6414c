import { say } from '../console.js'

/** The menu of a block, which the service draws, and that of a free place. */
const board = document.getElementById('board')

/** A list beside a place of the page. Escape, a click elsewhere and a choice close it. */
function open(content, { x, y, name, back }) {
  const dialog = document.createElement('dialog')
  dialog.className = 'menu-box'
  dialog.dataset.live = ''
  dialog.setAttribute('aria-label', name)
  dialog.append(content)
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    dialog.remove()
    document.getElementById(back)?.focus({ preventScroll: true })
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('a')) dialog.close()
  })
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const entries = [...dialog.querySelectorAll('a, button')]
    const step = event.key === 'ArrowDown' ? 1 : -1
    entries.at((entries.indexOf(document.activeElement) + step) % entries.length)?.focus()
  })
  dialog.showModal()
  const { width, height } = dialog.getBoundingClientRect()
  dialog.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`
  dialog.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`
}

export async function openMenu(block) {
  const { left, bottom } = block.getBoundingClientRect()
  const response = await fetch(`${block.getAttribute('href')}/menu`).catch(() => null)
  if (!response?.ok) return say('The menu cannot be loaded. Try again.')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const name = page.querySelector('h1').textContent
  open(page.querySelector('main .entries'), { x: left, y: bottom + 2, name, back: block.id })
}

board.addEventListener('contextmenu', (event) => {
  const block = event.target.closest('a.load')
  if (!block) return
  event.preventDefault()
  if (event.pointerType !== 'touch') openMenu(block)
})

const QUARTER_MS = 15 * 60_000
const slotMenu = document.getElementById('slot-menu')
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: board.dataset.zone })

/** A click on a free place offers what can be done at its quarter of an hour and its door. */
board.addEventListener('click', (event) => {
  const lane = event.target.closest('svg.lane')
  if (!lane || !slotMenu || event.target.closest('foreignObject')) return
  const [from, to] = [Number(board.dataset.from), Number(board.dataset.to)]
  const { left, width } = lane.getBoundingClientRect()
  const pointed = from + ((event.clientX - left) / width) * (to - from)
  const at = clock.format(Math.floor(pointed / QUARTER_MS) * QUARTER_MS)
  const { door } = lane.dataset
  const content = document.createElement('div')
  content.className = 'entries'
  const title = document.createElement('p')
  title.textContent = `${at}, ${door}`
  content.append(title, slotMenu.content.cloneNode(true))
  for (const link of content.querySelectorAll('a')) link.href += `&${new URLSearchParams({ at, door })}`
  open(content, { x: event.clientX, y: event.clientY, name: title.textContent, back: null })
})
