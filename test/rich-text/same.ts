import type { Nodes } from 'mdast'

/** Lists the properties of a clean node that are written. Source positions are not. */
const WRITTEN = [
  'type',
  'value',
  'url',
  'title',
  'alt',
  'account',
  'name',
  'kind',
  'depth',
  'lang',
  'ordered',
  'start',
  'checked',
] as const

/** Returns whether two clean trees are written the same. */
export function areSame(some: readonly Nodes[], others: readonly Nodes[]): boolean {
  return some.length === others.length && some.every((node, index) => isSame(node, others[index] as Nodes))
}

function isSame(node: Nodes, other: Nodes): boolean {
  const one: Partial<Record<string, unknown>> = { ...node }
  const two: Partial<Record<string, unknown>> = { ...other }
  if (WRITTEN.some((name) => (one[name] ?? null) !== (two[name] ?? null))) return false
  if (node.type === 'table' && other.type === 'table' && String(node.align) !== String(other.align)) return false
  return (
    'children' in node === 'children' in other &&
    (!('children' in node) || areSame(node.children, (other as typeof node).children))
  )
}
