import type { Person } from './state'

/** Who is known, found by any of the ways in which a person is written. */
export class People {
  private readonly byName = new Map<string, Person>()

  constructor(readonly all: readonly Person[]) {
    for (const person of all) {
      for (const name of [person.displayName, person.uniqueName, person.id, formatPerson(person)]) {
        this.byName.set(normalizeName(name), person)
      }
    }
  }

  get signedIn(): Person {
    return this.all[0]!
  }

  find(name: string): Person | null {
    return this.byName.get(normalizeName(name)) ?? null
  }
}

/** `Priya Nair <priya.nair@…>`: how a person is written where there is room for one string. */
export function formatPerson(person: Person): string {
  return `${person.displayName} <${person.uniqueName}>`
}

function normalizeName(name: string): string {
  return name
    .replace(/(?<!\s)\s*</, ' <')
    .trim()
    .toLowerCase()
}
