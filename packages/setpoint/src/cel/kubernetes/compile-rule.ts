/** Compiles the rules of one node of a schema. */
import type { StructuralSchema, ValidationRule } from '../../schema/index.ts'
import { findSchemaField } from '../../schema/schema-field-path.ts'
import { celEnvironment, type CelEnvironment, type Program } from '../environment.ts'
import { optionalType } from '../types/cel-type.ts'
import { objectTypesIn, renamedType, sizeAt, type SchemaType } from './schema-type.ts'

/** A compiled rule, or why it could not be compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule
  readonly program?: Program
  readonly error?: string
  readonly usesOldSelf: boolean
  readonly messageProgram?: Program
  readonly messageError?: string
  /** The path of the field that `fieldPath` names. */
  readonly fieldPath: string
}

/** Compiles the rules of nodes with the same type. */
export class RuleCompiler {
  private readonly type: SchemaType
  private readonly schema: StructuralSchema
  private plain: CelEnvironment | undefined
  private withOptional: CelEnvironment | undefined

  constructor(schema: StructuralSchema, type: SchemaType) {
    this.schema = schema
    this.type = renamedType(type, 'selfType')
  }

  compile(rule: ValidationRule): CompiledRule {
    const head = { rule, usesOldSelf: false, fieldPath: '' }
    if (rule.rule.trim() === '') return head
    const environment = this.environment(rule.optionalOldSelf === true)
    const compiled = compileTo(environment, rule.rule, 'bool')
    if ('error' in compiled) return { ...head, error: compiled.error }
    const { program } = compiled
    const found = { ...head, program, usesOldSelf: program.uses('oldSelf') }
    const { messageExpression = '' } = rule
    const fieldPath = this.fieldPathOf(rule)
    if (messageExpression === '') return { ...found, fieldPath }
    const message = compileTo(environment, messageExpression, 'string')
    if ('error' in message) return { ...found, messageError: message.error }
    return { ...found, fieldPath, messageProgram: message.program }
  }

  private environment(isOptional: boolean): CelEnvironment {
    if (isOptional) return (this.withOptional ??= this.makeEnvironment(true))
    return (this.plain ??= this.makeEnvironment(false))
  }

  private makeEnvironment(isOptional: boolean): CelEnvironment {
    const { type } = this.type
    return celEnvironment({
      variables: { self: type, oldSelf: isOptional ? optionalType(type) : type },
      objectTypes: objectTypesIn(this.type),
      sizeOfPath: (path) => sizeAt(this.type, path),
    })
  }

  private fieldPathOf({ fieldPath = '' }: ValidationRule): string {
    if (fieldPath === '') return ''
    return findSchemaField(this.schema, fieldPath, { isDotted: false }).path ?? ''
  }
}

function compileTo(
  environment: CelEnvironment,
  source: string,
  kind: 'bool' | 'string',
): { readonly program: Program } | { readonly error: string } {
  const isRule = kind === 'bool'
  const compiled = environment.compile(source)
  if (!compiled.ok) {
    const step = compiled.isProgramFailure ? 'instantiation' : 'compilation'
    const subject = isRule ? (compiled.isProgramFailure ? 'program ' : '') : 'messageExpression '
    return { error: `${subject}${step} failed: ${compiled.message}` }
  }
  if (compiled.program.outputType.kind === kind) return { program: compiled.program }
  return {
    error: isRule
      ? 'cel expression must evaluate to a bool'
      : 'messageExpression must evaluate to a string',
  }
}
