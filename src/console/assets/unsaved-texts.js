/** What a form has that is not saved, for this tab alone: it survives a reload, and ends when the user signs out. */

const PREFIX = 'unsaved '

/** Another user who signs in on this tab does not get it. */
function keyOf(form) {
  const user = document.querySelector('.account span')?.textContent ?? ''
  return `${PREFIX}${user} ${location.pathname} ${form.getAttribute('action')}`
}

let isSigningOut = false

export function keepTexts(form) {
  // A save that ends after the sign-out must not bring them back.
  if (isSigningOut) return
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'))
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(fields))
  } catch {
    // The store is full or turned off. The page still has the text.
  }
}

export function forgetTexts(form) {
  sessionStorage.removeItem(keyOf(form))
}

/** Puts the stored texts into the form, with the version that they are based on. Whether there are some. */
export function restoreTexts(form) {
  const stored = sessionStorage.getItem(keyOf(form))
  if (stored === null) return false
  for (const [name, value] of Object.entries(JSON.parse(stored))) {
    const field = form.elements.namedItem(name)
    if (field) field.value = value
  }
  return true
}

/** The form that merges them with the change of somebody else has taken their place. */
document.addEventListener('sent', ({ target }) => target.dataset.autosave === undefined && forgetTexts(target))
document.addEventListener('click', ({ target }) => {
  if (target.closest?.('a[data-discard]')) forgetTexts(target.closest('form'))
})

document.addEventListener('submit', ({ target }) => {
  if (!target.getAttribute('action')?.endsWith('/sign-out')) return
  isSigningOut = true
  target.addEventListener('unsent', () => (isSigningOut = false), { once: true })
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  for (const form of document.querySelectorAll('form[data-unsaved]')) delete form.dataset.unsaved
})
