import { stringify } from 'yaml'

export function yamlText(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120 })
}
