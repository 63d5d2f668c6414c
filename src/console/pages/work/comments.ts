import { pluralize } from '../../../kernel/text/text'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, time } from '../../html'
import { richText } from '../../rich-text'
import { itemPath } from '../item-path'

const SHOWN = 100

/** The comments of an item, which the tracker has. The page of the item loads them after itself, so that it does not wait for the tracker. */
export const commentsPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, toPageHtml, params }) {
    const id = Number(params['id'])
    const { comments, total } = await run('items.comments', { id, count: SHOWN })
    const notes = comments.map(
      ({ author, createdAt, text }) =>
        html`<li><p class="soft">${author?.displayName ?? 'Someone'}, ${time(createdAt, 'at an unknown time')}</p>${richText(toPageHtml, text)}</li>`,
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
