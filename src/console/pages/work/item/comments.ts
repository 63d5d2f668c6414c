import type { ResultOf } from '../../../../catalog'
import { pluralize } from '../../../../kernel/text/text'
import type { ConsolePage } from '../../../console-page'
import { detailsForm } from '../../../forms/details-form'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, time } from '../../../html'
import { richText } from '../../../rich-text'
import { itemPath } from '../../item-path'

const SHOWN = 100

/** The comments of an item, which the tracker has. The page of the item loads them after itself, so that it does not wait for the tracker. */
export const commentsPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, toPageHtml, params, service }) {
    const id = Number(params['id'])
    const { comments, total } = await run('items.comments', { id, count: SHOWN })
    const canEdit = service.isOffered('part:commentEditing')
    const notes = comments.map(
      (comment) =>
        html`<li><p class="soft">${comment.author?.displayName ?? 'Someone'}, ${time(comment.createdAt, 'at an unknown time')}</p>${richText(toPageHtml, comment.text)}${canEdit ? commentForms(id, comment) : ''}</li>`,
    )
    return {
      title: `Comments of ${id}`,
      styles: ['work.css'],
      body: html`<h1><a href="${itemPath(id)}">Comments of ${id}</a></h1>
<section id="comments"><p class="soft">${pluralize(total, 'comment')}${total > comments.length ? `, the last ${comments.length}:` : total === 0 ? '.' : ':'}</p><ol class="comments">${notes}</ol></section>
${commentForm(id)}`,
    }
  },
}

/** Where the comments will be, with the link that shows them without a script. */
export function commentsPlace(id: number): Html {
  return html`<section id="comments" data-load="${itemPath(id)}/comments"><p><a href="${itemPath(id)}/comments">Show the comments</a></p></section>
${commentForm(id)}`
}

function commentForm(id: number): Promise<Html> {
  const text = {
    name: 'text',
    label: 'Comment',
    rows: 3,
    attributes: { placeholder: 'Markdown. @ and a name mentions a person.' },
  }
  return operationForm('items.comment', {
    hidden: { id, next: `${itemPath(id)}#comments` },
    fields: [text],
    word: 'Comment',
  })
}

/** The tracker takes a change of one's own comments alone. */
function commentForms(id: number, { id: commentId, text }: ResultOf<'items.comments'>['comments'][number]): Html {
  const hidden = { id, commentId, next: `${itemPath(id)}#comments` }
  return html`<div class="bar">${detailsForm('Edit', 'items.edit-comment', {
    hidden,
    key: String(commentId),
    fields: [{ name: 'text', rows: 4, value: text }],
    word: 'Save the comment',
  })}${operationForm('items.delete-comment', { hidden, key: String(commentId), confirm: 'Delete this comment?', word: 'Delete', about: 'Delete the comment', quiet: true })}</div>`
}
