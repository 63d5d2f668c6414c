/** An error of the service, with what to do, and `details` by field. */
export function toError({ message, hint, details }) {
  return Object.assign(new Error([message, hint].filter(Boolean).join(' ')), { details })
}
