import type { FieldError, JsonObject } from 'setpoint/schema'
import { checkShape, checkValueSize, withinBudget } from '../../limits/index.ts'
import type {
  DecodedObject,
  DecodeOptions,
  DefaultingOptions,
  ObjectUpdate,
  ResourceStrategy,
  WarnedObject,
  WriteOrigin,
} from './served-resource.ts'

/** A strategy whose every call has a limit of work: schemas, defaults and values are a client's. */
export class BoundedStrategy implements ResourceStrategy {
  readonly #inner: ResourceStrategy

  constructor(inner: ResourceStrategy) {
    this.#inner = inner
  }

  decode(value: JsonObject, options?: DecodeOptions): DecodedObject {
    // A patch can nest deeper than its parts.
    checkShape(value)
    return withinBudget(() => this.#inner.decode(value, options))
  }

  applyDefaults(object: JsonObject, options?: DefaultingOptions): JsonObject {
    return sized(withinBudget(() => this.#inner.applyDefaults(object, options)))
  }

  prepareForCreate(object: JsonObject, origin: WriteOrigin): void {
    this.#inner.prepareForCreate(object, origin)
  }

  prepareForUpdate(update: ObjectUpdate, origin: WriteOrigin): void {
    this.#inner.prepareForUpdate(update, origin)
  }

  validateCreate(object: JsonObject): FieldError[] {
    return withinBudget(() => this.#inner.validateCreate(object))
  }

  validateUpdate(update: ObjectUpdate): FieldError[] {
    return withinBudget(() => this.#inner.validateUpdate(update))
  }

  toleratedProblems(object: JsonObject): readonly string[] {
    return this.#inner.toleratedProblems?.(object) ?? []
  }

  pruned(object: JsonObject): JsonObject {
    return withinBudget(() => this.#inner.pruned?.(object) ?? object)
  }

  completedByRead(stored: JsonObject): JsonObject | undefined {
    return this.#inner.completedByRead?.(stored)
  }

  warnings(write: WarnedObject): string[] {
    return this.#inner.warnings(write)
  }

  toStorage(object: JsonObject): JsonObject {
    return sized(withinBudget(() => this.#inner.toStorage(object)))
  }

  fromStorage(object: JsonObject): JsonObject {
    return sized(withinBudget(() => this.#inner.fromStorage(object)))
  }
}

function sized(object: JsonObject): JsonObject {
  checkValueSize(object)
  return object
}
