import type { ResultOf } from '../../../catalog'
import { ACCEPTED_TYPES, fileTypeNames, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../../docks'
import type { Fields } from '../../forms/form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'

type Attachments = ResultOf<'attachments.list'>

interface Rights {
  mayAdd: boolean
  mayRemove: boolean
  /** The pages that show them. */
  root: '/console' | '/portal'
}

/** The files of an appointment, with what the caller may do with them. */
export function attachmentSection(attachments: Attachments, rights: Rights, hidden: Fields): Html {
  const hasRoom = attachments.length < MAX_ATTACHMENTS
  return html`<section aria-labelledby="attachments"><h2 id="attachments">Attachments</h2>
${attachments.length === 0 ? html`<p>No file is attached.</p>` : list(attachments, rights, hidden)}
${rights.mayAdd && hasRoom ? addForm(rights, hidden) : ''}</section>`
}

function list(attachments: Attachments, { mayRemove, root }: Rights, hidden: Fields): Html {
  return table(
    'Attachments',
    ['File', 'Size', 'Added', 'By', 'Note', ...(mayRemove ? ['Action'] : [])],
    attachments.map(
      ({ id, name, bytes, addedAt, addedBy, note }) =>
        html`<tr><th scope="row"><a href="${root}/attachments/${id}" download="${name}">${name}</a></th><td>${Math.ceil(bytes / 1024)} KB</td><td>${time(addedAt)}</td><td>${addedBy}</td><td>${note ?? ''}</td>
${mayRemove ? html`<td>${operationForm('attachments.remove', { root, hidden: { ...hidden, id }, word: 'Remove', about: `Remove ${name}`, confirm: `Delete ${name} permanently?`, quiet: true })}</td>` : ''}</tr>`,
    ),
  )
}

function addForm({ root }: Rights, hidden: Fields): Html {
  const file = html`<label>File <input type="file" name="content" required accept="${fileTypeNames.join()}" data-max="${MAX_ATTACHMENT_BYTES}"></label>
<small>${ACCEPTED_TYPES}, at most ${MAX_ATTACHMENT_BYTES / 1024 / 1024} MB</small>`
  return html`<details><summary>Attach a file</summary>
${operationForm('attachments.add', { root, hidden, head: file, fields: ['note'], word: 'Attach' })}</details>`
}
