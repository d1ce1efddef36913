import type { Kind } from '../kinds/kind.ts'
import type { AdmissionOperation, LabelsOption, MatchOptions } from './admission-options.ts'

/** What every policy has. */
interface CommonPolicyOptions extends MatchOptions {
  /**
   * What the API server does if an expression fails, for example because a field is missing: `Fail`
   * refuses the request and is the default, `Ignore` lets it pass.
   */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /**
   * CEL expressions by name. Other expressions use their values as `variables.name`; each variable
   * can use those before it.
   */
  readonly variables?: Readonly<Record<string, string>>
  /** The objects that expressions can read as `params`. */
  readonly params?: PolicyParams
}

/** The objects with the parameters of a policy: one by its name, or all with these labels. */
export type PolicyParams = {
  readonly kind: Kind
  /** The namespace of a reviewed object unless given. */
  readonly namespace?: string
  /** What happens to a request if there is no such object; `Deny` unless given. */
  readonly parameterNotFoundAction?: 'Allow' | 'Deny'
} & (
  | { readonly name: string; readonly selector?: never }
  | { readonly selector: LabelsOption; readonly name?: never }
)

/**
 * A rule of a policy: the result of `rule(...)`, or an expression with its texts. The expression is
 * true for a request that is allowed.
 */
export type PolicyValidation =
  | {
      readonly rule: {
        readonly rule: string
        readonly message?: string
        readonly messageExpression?: string
        readonly reason?: never
        readonly fieldPath?: never
        readonly optionalOldSelf?: never
      }
    }
  | {
      readonly expression: string
      /** Why the request is refused. */
      readonly message?: string
      /** A CEL expression that returns the message. */
      readonly messageExpression?: string
      /** The reason in the response, with its status code; `Invalid` unless given. */
      readonly reason?: 'Forbidden' | 'Invalid' | 'RequestEntityTooLarge' | 'Unauthorized'
    }

/** What follows from a rule that is not met. `Deny` and `Warn` exclude each other. */
type PolicyActions = readonly ('Deny' | 'Audit')[] | readonly ('Warn' | 'Audit')[]

interface ReviewingOptions extends CommonPolicyOptions {
  /** What follows from a rule that is not met; `['Deny']` unless given. */
  readonly actions?: PolicyActions
  readonly mutations?: never
  readonly reinvocationPolicy?: never
}

/** A policy that refuses requests, warns or writes to the audit log. */
export type ValidatingPolicyOptions = ReviewingOptions &
  (
    | {
        /** The request is allowed if all of them are true. */
        readonly rules: readonly PolicyValidation[]
        /** CEL expressions by key, whose results are added to the audit event of the request. */
        readonly auditAnnotations?: Readonly<Record<string, string>>
      }
    | { readonly rules?: never; readonly auditAnnotations: Readonly<Record<string, string>> }
  )

/**
 * A change that a policy makes: a CEL expression that returns fields to apply
 * (`Object{spec: Object.spec{replicas: 1}}`), or the operations of a JSON patch.
 */
export type PolicyMutation =
  | { readonly applyConfiguration: string; readonly jsonPatch?: never }
  | { readonly jsonPatch: string; readonly applyConfiguration?: never }

/** A policy that changes objects. */
export interface MutatingPolicyOptions extends CommonPolicyOptions {
  readonly operations?: readonly Exclude<AdmissionOperation, 'DELETE'>[]
  /** The changes, in this order. */
  readonly mutations: readonly PolicyMutation[]
  /** `IfNeeded` evaluates it again if a later mutation changed the object; `Never` is the default. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded'
  readonly rules?: never
  readonly auditAnnotations?: never
  readonly actions?: never
}

/** Options of `.policy`: either `rules` (or `auditAnnotations`), or `mutations`. */
export type PolicyOptions = ValidatingPolicyOptions | MutatingPolicyOptions
