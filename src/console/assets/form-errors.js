import { say } from './say.js'

/** Shows in a form why it was refused, and the buttons and links that lead on; nothing if there is no error. */
export function showError(form, error) {
  for (const field of form.elements) field.removeAttribute('aria-invalid')
  for (const part of form.querySelectorAll('.offers')) part.remove()
  const refused = (error?.details ?? []).flatMap(({ path }) => {
    const field = form.elements.namedItem(path) ?? form.elements.namedItem(path.split('.')[0])
    return field?.setAttribute ? [{ path, field }] : []
  })
  for (const { field } of refused) field.setAttribute('aria-invalid', 'true')
  // People know a field by its label.
  let message = error?.message ?? ''
  for (const { path, field } of refused) {
    const label = field.labels?.[0]?.firstChild.textContent.trim()
    if (label) message = message.replace(`${path}:`, `${label}:`)
  }
  const place = form.querySelector('.error')
  if (place) place.replaceChildren(message, ...linksOf(error))
  else if (error) say(message)
  if (!error) return
  // The service has escaped all texts in it.
  if (error.offers && place) place.insertAdjacentHTML('afterend', error.offers)
  if (form.dataset.autosave === undefined) refused[0]?.field.focus()
}

/** They open another tab, so that what is typed here stays. */
function linksOf(error) {
  const signIn = error?.signIn ? [{ text: 'Sign in again in another tab', href: error.signIn }] : []
  return [...signIn, ...(error?.links ?? [])].flatMap(({ text, href }) => {
    const link = document.createElement('a')
    link.href = href
    link.target = '_blank'
    link.textContent = text
    return [' ', link]
  })
}
