/** Lets appointments fade that are not looked for: by words of their texts, and by state. Both are in the address. */
const box = document.getElementById('filter')
const shown = document.getElementById('shown')
const given = () => new URL(location.href).searchParams

function remember(name, value) {
  const address = new URL(location.href)
  if (value) address.searchParams.set(name, value)
  else address.searchParams.delete(name)
  history.replaceState(null, '', address)
}

function apply() {
  const only = given().get('only') ?? ''
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  shown.className = /^\w+$/.test(only) ? `only-${only}` : ''
  for (const entry of shown.querySelectorAll('[data-is]')) {
    const text = (entry.getAttribute('aria-label') ?? entry.textContent).toLowerCase()
    entry.classList.toggle('faded', !words.every((word) => text.includes(word)))
  }
  for (const chip of document.querySelectorAll('#board-summary .chip'))
    if (new URL(chip.href).searchParams.get('only') === only) chip.setAttribute('aria-current', 'true')
    else chip.removeAttribute('aria-current')
}

if (box) {
  box.value = given().get('q') ?? ''
  box.addEventListener('input', () => {
    remember('q', box.value.trim())
    apply()
  })
  document.addEventListener('click', (event) => {
    const chip = event.target.closest?.('#board-summary .chip')
    if (!chip || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const only = new URL(chip.href).searchParams.get('only')
    remember('only', only === given().get('only') ? '' : only)
    apply()
  })
  document.addEventListener('board-change', apply)
  apply()
}
