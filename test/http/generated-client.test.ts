import { expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { openApiDocument } from '../../src/http/openapi'

const description = openApiDocument(await loadAllOperations(), '1.0.0')

/** What generators of clients, in any language, are known to get wrong is not in the description. */
it('holds nothing that generators are known to write wrongly', () => {
  const found: string[] = []
  walk(description, '', (node, path) => {
    if (typeof node['const'] === 'string' && /["'\\]/.test(node['const'])) found.push(`${path}: a quoted constant`)
    if ('prefixItems' in node) found.push(`${path}: prefixItems`)
    if (node['type'] === 'array' && typeof node['items'] !== 'object') found.push(`${path}: an array without a shape`)
    const others = node['additionalProperties']
    if (typeof others === 'object' && others !== null && Object.keys(others).length > 0 && 'properties' in node)
      found.push(`${path}: further properties of another shape than the named ones`)
  })
  expect(found).toEqual([])
})

function walk(node: unknown, path: string, visit: (node: Record<string, unknown>, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, path)
  for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`, visit)
}
