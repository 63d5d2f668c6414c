// Imported statically, because the bundler gives a dynamic import of this package no named exports.
import { stringify } from 'yaml'

export function yamlText(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120 })
}
