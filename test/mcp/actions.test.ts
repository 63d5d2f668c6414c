import { Ajv2020 } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { exampleInput } from '../../src/http/discovery/example-input'
import { deriveActions, toolsOf } from '../../src/mcp'

const operations = await loadAllOperations()
const actions = deriveActions(operations)
const tools = toolsOf(actions)
const ajv = addFormats.default(new Ajv2020({ strictTypes: false }))

describe('the tools for agents', () => {
  it('offer each operation of the HTTP API once, but for administration, the service itself and streams', () => {
    const expected = operations.filter(
      (op) =>
        op.http && ['workspace', 'tenant'].includes(op.access) && !op.stream?.byDefault && !/^system\./.test(op.id),
    )
    const offered = tools.flatMap((tool) => (tool.inputSchema.properties as any).action.enum)
    expect([...offered].sort()).toEqual(expected.map((op) => op.id).sort())
  })

  it('are few, and named so that every client takes them', () => {
    expect(tools.length).toBeLessThanOrEqual(20)
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s says truly what it does to the world', (name, tool) => {
    const own = operations.filter((op) => (tool.inputSchema.properties as any).action.enum.includes(op.id))
    const effects = new Set(own.map((op) => op.effect))
    expect(effects.size, `${name} mixes ${[...effects]}`).toBe(1)
    const [effect] = effects
    expect(tool.annotations).toMatchObject({
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'write',
      openWorldHint: own.some((op) => op.errors.some((code) => /^(tracker|llm)_/.test(code))),
    })
    expect(tool.title).not.toBe('')
    for (const op of own) expect(tool.description).toContain(`- ${op.id}(`)
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s has schemas that a validator takes', (_name, tool) => {
    expect(tool.inputSchema.type).toBe('object')
    expect(tool.outputSchema?.type).toBe('object')
    ajv.compile(tool.inputSchema)
    ajv.compile(tool.outputSchema!)
  })

  it.each(actions.map((action) => [action.id, action] as const))('takes the example of %s', (id, action) => {
    const tool = tools.find(({ name }) => name === action.tool.name)!
    const example = exampleInput(operations.find((op) => op.id === id)!)
    const validate = ajv.compile(tool.inputSchema)
    expect(example).not.toBeNull()
    expect(validate({ action: id, ...example }), JSON.stringify(validate.errors)).toBe(true)
  })
})
