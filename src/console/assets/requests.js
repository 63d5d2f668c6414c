import { toError } from './service-error.js'

/** Sends fields to the service. Throws its error, with `details` by field, or one with `isAway` if the service does not answer. */
export async function post(action, fields) {
  const response = await fetch(action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Acting-Member': document.body.dataset.actingMember ?? '' },
    body: JSON.stringify(fields),
  }).catch(() => null)
  // A proxy in between answers with a page of its own.
  const answer = await response?.json().catch(() => null)
  if (!answer) throw Object.assign(new Error('The service cannot be reached. Try again.'), { isAway: true })
  if (response.ok) return answer
  throw Object.assign(toError(answer), { isAway: response.status === 503 })
}

/** A name that occurs several times is a list. A file is sent in Base64, with its name as another field. */
export async function fieldsOf(form, button) {
  const data = new FormData(form, button)
  const fields = {}
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
    if (!(values[0] instanceof File)) continue
    if (values[0].size > form.elements.namedItem(name).dataset.max) throw new Error('The file is too large.')
    fields[name] = await toBase64(values[0])
    fields.name = values[0].name
  }
  return fields
}

function toBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(new Error('The file cannot be read.'))
    reader.readAsDataURL(file)
  })
}
