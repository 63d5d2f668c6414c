import type { ErrorDetail } from '../../../kernel'
import { EMPTY_CONTENT } from '../../rules/draft-content'
import type { DraftContent } from '../../schemas'
import type { TreeNode } from './parse-tree'

/** What a node sets. */
export interface NodeValues {
  content: DraftContent
  /** The work item that the node names; null if it names none. */
  reference: string | null
}

const PROPERTIES: Readonly<Record<string, 'storyPoints' | 'assignedTo' | 'areaPath' | 'iterationPath' | 'tags'>> = {
  points: 'storyPoints',
  storypoints: 'storyPoints',
  assignee: 'assignedTo',
  assignedto: 'assignedTo',
  area: 'areaPath',
  areapath: 'areaPath',
  iteration: 'iterationPath',
  iterationpath: 'iterationPath',
  sprint: 'iterationPath',
  tags: 'tags',
}

/** The values of a node, and what is wrong with them. */
export function readNodeValues(node: TreeNode, folderId: number): { values: NodeValues; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = []
  const { title, description, acceptanceCriteria } = node
  const content: DraftContent = { ...EMPTY_CONTENT, title, description, acceptanceCriteria, folderId }
  const fields = new Map<string, string>()
  let reference: string | null = null
  for (const [name, value] of node.attributes) {
    const plain = name.toLowerCase().replace(/[^a-z]/g, '')
    const property = Object.hasOwn(PROPERTIES, plain) ? PROPERTIES[plain] : undefined
    if (plain === 'type') continue
    if (plain === 'id') reference = value.replace(/^#/, '')
    else if (property === 'storyPoints') {
      const points = Number(value)
      if (points >= 0 && Number.isFinite(points)) content.storyPoints = points
      else problems.push({ path: node.place, message: `${name}: must be a number` })
    } else if (property === undefined) fields.set(name, value)
    else content[property] = value
  }
  return { values: { content: { ...content, fields: Object.fromEntries(fields) }, reference }, problems }
}
