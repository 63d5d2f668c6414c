import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printableLine, table } from '../../terminal/layout'
import { renderPlannedUploads } from './planned-uploads'

type Tree = ResultOf<'items.publish-tree'>
type TreeNode = Tree['nodes'][number]

/** The items of the files as a tree, with what was or would be done, and what is wrong. */
export function renderPublishedTree(tree: Tree, canvas: Canvas): string {
  const { nodes, problems, gone, dryRun } = tree
  const rows = table(canvas, nodes, [
    { title: 'ITEM', text: ({ reference }) => (reference === null ? 'new' : toArgument(reference)), align: 'right' },
    { title: dryRun ? 'WOULD' : 'STATUS', text: (node) => wordOf(node, dryRun) },
    { title: 'TYPE', text: ({ type }) => printableLine(type) },
    { title: 'TITLE', text: ({ title, depth }) => `${'  '.repeat(depth)}${printableLine(title)}`, shrink: 'cut' },
    { title: 'NOTE', text: ({ message }) => printableLine(message ?? ''), shrink: 'cut' },
  ])
  const wrong = problems.map(
    ({ path, message }) => `${canvas.colors.bad(printableLine(path))}: ${printableLine(message)}\n`,
  )
  const left = gone.map(({ reference, title }) => `${printableLine(reference)} ${printableLine(title)}\n`)
  return [
    nodes.length === 0 ? '' : `${rows}\n`,
    ...(wrong.length > 0 ? [`${pluralize(wrong.length, 'problem')}:\n`, ...wrong, '\n'] : []),
    ...(left.length > 0
      ? [
          'No longer in the files, but in the tracker:\n',
          ...left,
          'To rename an item, put a line "id: …" below its new heading.\n\n',
        ]
      : []),
    renderPlannedUploads(
      nodes.flatMap(({ uploads }) => uploads),
      tree,
    ),
    `${summarize(tree)}\n`,
  ].join('')
}

function wordOf({ action, status, fields }: TreeNode, dryRun: boolean): string {
  if (!dryRun) return status === 'notAttempted' ? 'not sent' : status
  if (action === 'conflict') return 'stay: conflict'
  if (action === 'none' || (action === 'update' && fields.length === 0)) return 'stay'
  return action === 'create' ? 'be created' : `change ${fields.map(printableLine).join(', ')}`
}

function summarize({ dryRun, nodes, created, updated, unchanged, failed, notAttempted, problems }: Tree): string {
  if (dryRun) {
    const rest = problems.length > 0 ? 'Correct the problems first.' : ''
    return `Dry run: nothing was sent. ${pluralize(nodes.length, 'item')} checked. ${rest}`.trimEnd()
  }
  const parts = [
    `${created} created`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notAttempted > 0 ? [`${notAttempted} not sent`] : []),
  ]
  return `${parts.join(', ')}.${failed + notAttempted > 0 ? ' Run the command again to go on, after a conflict with --ours or --theirs.' : ''}`
}
