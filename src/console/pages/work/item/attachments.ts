import type { ResultOf } from '../../../../catalog'
import { formatByteSize } from '../../../../kernel/files/byte-size'
import { SHOWN_IMAGES } from '../../../../kernel/files/file-type'
import type { ConsolePage } from '../../../console-page'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, table, time } from '../../../html'
import { itemPath } from '../../item-path'

type Attachment = ResultOf<'items.attachments'>['attachments'][number]

/** As the operation takes it. */
const MAX_FILE_BYTES = 5_000_000
/** A larger image is only offered for download. */
const MAX_SHOWN_BYTES = 2_000_000

/** The files of an item, which the tracker has. The page of the item loads them after itself, so that it does not wait for the tracker. */
export const attachmentsPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, params, service }) {
    const id = Number(params['id'])
    const { attachments, reference } = await run('items.attachments', { id })
    return {
      title: `Attachments of ${reference}`,
      styles: ['work.css'],
      body: html`<h1><a href="${itemPath(id)}">Attachments of ${reference}</a></h1>
<section id="attachments">${attachments.length === 0 ? html`<p class="soft">No file is attached.</p>` : list(id, attachments)}
${service.isOffered('part:uploads') ? attachForm(id) : ''}</section>`,
    }
  },
}

/** Where the files will be, with the link that shows them without a script. */
export function attachmentsPlace(id: number): Html {
  const path = `${itemPath(id)}/attachments`
  return html`<section id="attachments" data-load="${path}"><p><a href="${path}">Show the attachments</a></p></section>`
}

function list(id: number, attachments: readonly Attachment[]): Html {
  return table(
    'Attachments',
    ['File', 'Size', 'Added', 'By'],
    attachments.map((one) => {
      const { name, size, createdAt, author } = one
      const path = `${itemPath(id)}/attachments/${encodeURIComponent(one.id)}`
      const image = isShown(one) ? html`<br><img class="attached" src="${path}" alt="" loading="lazy">` : ''
      return html`<tr><th scope="row"><a href="${path}" download="${name}">${name}</a>${image}</th><td>${size === null ? '' : formatByteSize(size)}</td><td>${time(createdAt, 'at an unknown time')}</td><td>${author?.displayName ?? ''}</td></tr>`
    }),
  )
}

/** What is sent is an image only if its first bytes say so; the name decides whether to try. */
function isShown({ name, mediaType, size }: Attachment): boolean {
  const isImage = (mediaType !== null && SHOWN_IMAGES.includes(mediaType)) || /\.(?:png|jpe?g|gif|webp)$/i.test(name)
  return isImage && size !== null && size <= MAX_SHOWN_BYTES
}

function attachForm(id: number): Html {
  const file = html`<label>File <input type="file" name="content" required data-max="${MAX_FILE_BYTES}"></label>
<small>at most ${formatByteSize(MAX_FILE_BYTES)}</small>`
  return html`<details><summary>Attach a file</summary>
${operationForm('items.attach', { hidden: { id, next: `${itemPath(id)}#attachments` }, head: file, fields: [], word: 'Attach' })}</details>`
}
