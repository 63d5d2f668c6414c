import { post } from './requests.js'
import { say } from './say.js'

/** For the pages of work: loads what the tracker says after the page, and imports what was chosen one after the other. */

for (const place of document.querySelectorAll('[data-load]')) load(place)

/** Puts the element of the same ID on that page in its place. The service has escaped all texts in it. */
async function load(place) {
  place.setAttribute('aria-busy', 'true')
  const response = await fetch(place.dataset.load).catch(() => null)
  const page = response && new DOMParser().parseFromString(await response.text(), 'text/html')
  const loaded = page?.getElementById(place.id)
  place.removeAttribute('aria-busy')
  if (loaded) {
    place.replaceWith(loaded)
    for (const form of loaded.querySelectorAll('form[data-each]')) runEach(form)
  } else {
    const text = document.createElement('p')
    text.className = 'soft'
    text.textContent = page?.querySelector('[role=alert]')?.textContent ?? 'The service cannot be reached.'
    place.prepend(text)
  }
}

for (const form of document.querySelectorAll('form[data-each]')) runEach(form)

/** Sends a form once for each ticked box, and shows what became of it in the row of the box. */
function runEach(form) {
  const output = form.querySelector('output')
  const boxes = () => [...form.querySelectorAll('input[type=checkbox]:checked:not(:disabled)')]
  form.addEventListener('change', () => {
    output.textContent = `${boxes().length} chosen`
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    event.stopPropagation()
    const chosen = boxes()
    if (chosen.length === 0) return say('Nothing is chosen. Tick at least one.')
    const bar = document.createElement('progress')
    bar.max = chosen.length
    bar.value = 0
    bar.ariaLabel = 'Imported'
    output.replaceChildren(bar)
    event.submitter.disabled = true
    let failed = 0
    for (const [at, box] of chosen.entries()) {
      const outcome = box.closest('tr').querySelector('.outcome')
      outcome.textContent = 'importing …'
      try {
        await post(form.action, { [form.dataset.each]: [box.value] })
        outcome.textContent = 'imported'
        box.checked = false
      } catch (error) {
        failed += 1
        outcome.textContent = error.message
      }
      bar.value = at + 1
      output.replaceChildren(bar, ` ${at + 1} of ${chosen.length}`)
    }
    event.submitter.disabled = false
    const link = document.createElement('a')
    link.href = '/console/work'
    link.textContent = 'Show the work'
    output.replaceChildren(
      `${chosen.length - failed} imported${failed > 0 ? `, ${failed} failed and are still chosen` : ''}. `,
      link,
    )
    say(`${chosen.length - failed} of ${chosen.length} imported.`)
  })
}

const chosenForm = document.getElementById('chosen')
if (chosenForm) countChosen(chosenForm)

/** Says how many rows are chosen, and lets one box choose all that the page shows. */
function countChosen(form) {
  const output = form.querySelector('output')
  const boxes = () => [...form.elements].filter(({ name }) => name === 'id')
  const shown = () => boxes().filter((box) => !box.closest('tr').hidden)
  const all = document.createElement('input')
  all.type = 'checkbox'
  all.ariaLabel = 'Choose all that are shown'
  document.querySelector('thead th.box')?.append(all)
  const count = () => {
    const chosen = boxes().filter(({ checked }) => checked).length
    output.textContent = chosen === 0 ? '' : `${chosen} chosen`
    form.classList.toggle('chosen', chosen > 0)
    all.checked = chosen > 0 && chosen === boxes().length
    all.indeterminate = chosen > 0 && !all.checked
  }
  document.addEventListener('change', ({ target }) => {
    if (target === all) for (const box of shown()) box.checked = all.checked
    if (target === all || target.form === form) count()
  })
  form.addEventListener('submit', (event) => {
    if (boxes().some(({ checked }) => checked)) return
    event.preventDefault()
    say('Nothing is chosen. Tick at least one.')
  })
  count()
}

/** The name of a chosen file goes into the field that `data-named` names. */
document.addEventListener('change', ({ target }) => {
  if (target.dataset.named && target.files[0])
    target.form.elements.namedItem(target.dataset.named).value = target.files[0].name
})
