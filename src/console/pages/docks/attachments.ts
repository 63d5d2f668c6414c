import type { ResultOf } from '../../../catalog'
import { ACCEPTED_TYPES, fileTypeNames, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../../docks'
import type { ConsolePage } from '../../console-page'
import { hasDockRole } from '../../dock-roles'
import type { Fields } from '../../forms/form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'

type Attachments = ResultOf<'attachments.list'>
type Roles = Pick<Parameters<ConsolePage['render']>[0], 'actorFor'>

/** The files of an appointment, with what the caller may do with them. */
export function attachmentSection(attachments: Attachments, roles: Roles, hidden: Fields): Html {
  const mayAdd = hasDockRole(roles, 'gate') && attachments.length < MAX_ATTACHMENTS
  return html`<section aria-labelledby="attachments"><h2 id="attachments">Attachments</h2>
${attachments.length === 0 ? html`<p>No file is attached.</p>` : list(attachments, { mayRemove: hasDockRole(roles, 'clerk'), hidden })}
${mayAdd ? addForm(hidden) : ''}</section>`
}

function list(attachments: Attachments, { mayRemove, hidden }: { mayRemove: boolean; hidden: Fields }): Html {
  return table(
    'Attachments',
    ['File', 'Size', 'Added', 'By', 'Note', ...(mayRemove ? ['Action'] : [])],
    attachments.map(
      ({ id, name, bytes, addedAt, addedBy, note }) =>
        html`<tr><th scope="row"><a href="/console/attachments/${id}" download="${name}">${name}</a></th><td>${Math.ceil(bytes / 1024)} KB</td><td>${time(addedAt)}</td><td>${addedBy}</td><td>${note ?? ''}</td>
${mayRemove ? html`<td>${operationForm('attachments.remove', { hidden: { ...hidden, id }, word: 'Remove', about: `Remove ${name}`, confirm: `Delete ${name} permanently?`, quiet: true })}</td>` : ''}</tr>`,
    ),
  )
}

function addForm(hidden: Fields): Html {
  const file = html`<label>File <input type="file" name="content" required accept="${fileTypeNames.join()}" data-max="${MAX_ATTACHMENT_BYTES}"></label>
<small>${ACCEPTED_TYPES}, at most ${MAX_ATTACHMENT_BYTES / 1024 / 1024} MB</small>`
  return html`<details><summary>Attach a file</summary>
${operationForm('attachments.add', { hidden, head: file, fields: ['note'], word: 'Attach' })}</details>`
}
