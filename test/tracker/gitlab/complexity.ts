import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'

/** Fields that a resolver of GitLab computes. A page costs one percent more for each of its nodes. */
const RESOLVED = new Set([
  'workItems',
  'children',
  'linkedItems',
  'notes',
  'labels',
  'milestones',
  'iterations',
  'workItemTypes',
  'users',
  'timelogs',
  'closingMergeRequests',
  'relatedMergeRequests',
  'relatedBranches',
  'assignees',
  'customFieldValues',
])

/**
 * The complexity of a query, as GitLab documents it: each field costs 1. A field with a resolver costs 1 more than its own fields, 1 for an
 * order and 5 for a search, and twice as much for a page of a hundred. Fields of all widgets are added up, which is the most that they can cost.
 */
export function computeComplexity(document: DocumentNode, variables: Record<string, unknown>): number {
  return measure(document, (field, inner) => {
    const given = new Map(field.arguments?.map(({ name, value }) => [name.value, value]))
    if (!RESOLVED.has(field.name.value) || !field.selectionSet) return inner + 1
    const own = 1 + (given.has('sort') || field.name.value === 'workItems' ? 1 : 0) + (given.has('search') ? 5 : 0)
    const size = given.get('first') ?? given.get('last')
    const nodes =
      size?.kind === Kind.INT
        ? Number(size.value)
        : size?.kind === Kind.VARIABLE
          ? Number(variables[size.name.value])
          : 100
    const isPage = field.name.value !== 'customFieldValues' && !given.has('iids')
    return Math.floor((inner + own) * (isPage ? 1 + Math.min(nodes, 100) / 100 : 1))
  })
}

/** How deep the fields of a query are. */
export function computeDepth(document: DocumentNode): number {
  const fragments = listFragments(document)
  const depth = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map((one) => {
        if (one.kind === Kind.FRAGMENT_SPREAD) return depth(fragments.get(one.name.value)?.selectionSet)
        return (one.kind === Kind.FIELD ? 1 : 0) + depth(one.selectionSet)
      }),
    )
  return Math.max(
    ...document.definitions.map((one) => (one.kind === Kind.OPERATION_DEFINITION ? depth(one.selectionSet) : 0)),
  )
}

function listFragments(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  )
}

function measure(document: DocumentNode, cost: (field: FieldNode, inner: number) => number): number {
  const fragments = listFragments(document)
  const add = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, one) => {
      if (one.kind === Kind.FRAGMENT_SPREAD) return sum + add(fragments.get(one.name.value)?.selectionSet)
      if (one.kind === Kind.INLINE_FRAGMENT) return sum + add(one.selectionSet)
      return sum + cost(one, add(one.selectionSet))
    }, 0)
  return document.definitions.reduce(
    (sum, one) => sum + (one.kind === Kind.OPERATION_DEFINITION ? add(one.selectionSet) : 0),
    0,
  )
}
