import { openMenu } from './menu.js'

/** The blocks are one stop of the Tab key. Arrow keys go from one to the next: left and right in time, up and down between doors. */
const board = document.getElementById('board')
const lanes = () => [...board.querySelectorAll('svg.lane')]
const blocksOf = (lane) => [...lane.querySelectorAll('a.load')]
const startOf = (block) => Date.parse(block.dataset.start)

let currentId = null

function makeCurrent(block) {
  if (!block) return
  board.querySelector('a.load[tabindex="0"]')?.setAttribute('tabindex', '-1')
  block.setAttribute('tabindex', '0')
  currentId = block.id
}

/** The first of today that has not ended is where one usually begins. */
function chooseCurrent() {
  const blocks = [...board.querySelectorAll('a.load')]
  makeCurrent(
    document.getElementById(currentId) ??
      blocks.find(({ dataset }) => Date.parse(dataset.end) > Date.now()) ??
      blocks[0],
  )
}

const nearest = (blocks, at) =>
  blocks.reduce((best, block) => (Math.abs(startOf(block) - at) < Math.abs(startOf(best) - at) ? block : best))

function findNext(block, key) {
  const lane = block.closest('svg.lane')
  const row = blocksOf(lane)
  const index = row.indexOf(block)
  if (key === 'ArrowRight') return row[index + 1]
  if (key === 'ArrowLeft') return row[index - 1]
  if (key === 'Home') return row[0]
  if (key === 'End') return row.at(-1)
  const all = lanes()
  const step = key === 'ArrowDown' ? 1 : -1
  for (let at = all.indexOf(lane) + step; all[at]; at += step) {
    const blocks = blocksOf(all[at])
    if (blocks.length > 0) return nearest(blocks, startOf(block))
  }
}

board.addEventListener('keydown', (event) => {
  const block = event.target.closest('a.load')
  if (!block || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'm') {
    event.preventDefault()
    openMenu(block)
  }
  if (!/^(Arrow|Home$|End$)/.test(event.key)) return
  event.preventDefault()
  findNext(block, event.key)?.focus()
})

/** What a block says in full, beside it. Screen readers read it as its name. */
const card = document.createElement('div')
card.id = 'board-card'
card.hidden = true
card.ariaHidden = 'true'
document.body.append(card)

function showCard(block) {
  card.textContent = block.getAttribute('aria-label')
  card.hidden = false
  const { left, top, bottom } = block.getBoundingClientRect()
  const { width, height } = card.getBoundingClientRect()
  card.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`
  card.style.top = `${bottom + height + 8 < innerHeight ? bottom + 4 : top - height - 4}px`
}

const hideCard = () => {
  card.hidden = true
}

board.addEventListener('focusin', ({ target }) => {
  const block = target.closest('a.load')
  if (!block) return
  makeCurrent(block)
  if (block.matches(':focus-visible')) showCard(block)
})
board.addEventListener('focusout', hideCard)
board.addEventListener('pointerover', ({ target, pointerType }) => {
  const block = target.closest('a.load')
  if (block && pointerType === 'mouse' && !board.matches('.dragging')) showCard(block)
  else hideCard()
})
board.addEventListener('pointerleave', hideCard)
board.addEventListener('pointerdown', hideCard)
document.addEventListener('scroll', hideCard, { capture: true, passive: true })
document.addEventListener('keydown', (event) => event.key === 'Escape' && hideCard())
document.addEventListener('board-change', () => {
  hideCard()
  chooseCurrent()
})
chooseCurrent()
