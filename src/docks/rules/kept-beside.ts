const MOST_VALUES = 200

/**
 * Values that follow from objects which never change, kept as long as these are: found by the objects themselves, then by name.
 * For objects that are not frozen nothing is kept.
 */
export class KeptBeside<Value> {
  readonly #below = new WeakMap<object, KeptBeside<Value>>()
  readonly #values = new Map<string, Value>()

  get(objects: readonly object[], name: string, make: () => Value): Value {
    if (!objects.every(Object.isFrozen)) return make()
    let place: KeptBeside<Value> = this
    for (const object of objects) place = place.#beside(object)
    return place.#named(name, make)
  }

  #beside(object: object): KeptBeside<Value> {
    const known = this.#below.get(object)
    if (known) return known
    const made = new KeptBeside<Value>()
    this.#below.set(object, made)
    return made
  }

  #named(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    if (known !== undefined) return known
    if (this.#values.size >= MOST_VALUES) this.#values.clear()
    const made = make()
    this.#values.set(name, made)
    return made
  }
}
