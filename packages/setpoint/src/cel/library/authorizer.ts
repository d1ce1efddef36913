/** Checks of permissions: `authorizer.group("apps").resource("deployments").check("create")`. */
import { nameProblems } from '../../schema/index.ts'
import { objectType, type CelType } from '../types/cel-type.ts'
import { declare, type FunctionDeclaration } from '../types/function-declaration.ts'
import { CelError, CelObject, type CelResult } from '../values/cel-value.ts'

/** A request whose permission an expression checks. */
export interface AuthorizationRequest {
  readonly verb: string
  /** The service account instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  /** A path outside of resources. */
  readonly path?: string
  readonly resource?: {
    readonly group: string
    readonly resource: string
    readonly subresource: string
    readonly namespace: string
    readonly name: string
    readonly fieldSelector: string
    readonly labelSelector: string
  }
}

/** The answer to an authorization request. */
export interface AuthorizationDecision {
  readonly isAllowed: boolean
  readonly reason: string
  readonly error?: string
}

/** Decides about requests; a server passes its own. */
export type Authorizer = (request: AuthorizationRequest) => AuthorizationDecision

const head = 'kubernetes.authorization.'

/** The type of the variable `authorizer`. */
export const authorizerType: CelType = objectType(`${head}Authorizer`)

/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType: CelType = objectType(`${head}ResourceCheck`)

/** A step on the way to a check, or its answer. Two of them are never equal. */
class AuthorizationValue<Content> extends CelObject {
  readonly type: CelType
  readonly content: Content
  constructor(type: CelType, content: Content) {
    super()
    this.type = type
    this.content = content
  }
  equals(): CelError {
    return new CelError('no such overload')
  }
}

interface Subject {
  readonly authorizer: Authorizer
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
}

type Resource = NonNullable<AuthorizationRequest['resource']>
type ResourceCheck = Subject & { readonly resource: Resource }

/** The value of the variable `authorizer`. */
export function authorizerValue(authorizer: Authorizer): CelObject {
  return new AuthorizationValue<Subject>(authorizerType, { authorizer })
}

/** The value of the variable `authorizer.requestResource`. */
export function resourceCheckValue(authorizer: Authorizer, resource: Resource): CelObject {
  return new AuthorizationValue<ResourceCheck>(resourceCheckType, { authorizer, resource })
}

function contentOf<Content>(value: unknown): Content {
  return (value as AuthorizationValue<Content>).content
}

function decide({ authorizer, serviceAccount }: Subject, request: AuthorizationRequest): CelResult {
  const decision = authorizer(
    serviceAccount === undefined ? request : { ...request, serviceAccount },
  )
  return new AuthorizationValue(objectType(`${head}Decision`), decision)
}

function serviceAccount(subject: Subject, namespace: string, name: string): CelResult {
  if (nameProblems.dnsSubdomain(name).length > 0) {
    return new CelError('Invalid service account name')
  }
  if (nameProblems.dnsLabel(namespace).length > 0) {
    return new CelError('Invalid service account namespace')
  }
  const { authorizer } = subject
  return new AuthorizationValue<Subject>(authorizerType, {
    authorizer,
    serviceAccount: { namespace, name },
  })
}

const emptyResource: Resource = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
}

function changed(field: keyof Resource) {
  return (check: unknown, text: unknown): CelResult => {
    const content = contentOf<ResourceCheck>(check)
    const resource = { ...content.resource, [field]: text as string }
    return new AuthorizationValue(resourceCheckType, { ...content, resource })
  }
}

function named(what: 'path' | 'resource', text: string, make: () => CelResult): CelResult {
  return text.trim() === '' ? new CelError(`${what} must not be empty`) : make()
}

const decisionOf = contentOf<AuthorizationDecision>

/** The functions of authorizers. */
export const authorizers: readonly FunctionDeclaration[] = declare({
  path: [
    [
      `.authorizer_path(${head}Authorizer, string): ${head}PathCheck`,
      (subject, path) =>
        named('path', path as string, () => {
          const content = { ...contentOf<Subject>(subject), path: path as string }
          return new AuthorizationValue(objectType(`${head}PathCheck`), content)
        }),
    ],
  ],
  group: [
    [
      `.authorizer_group(${head}Authorizer, string): ${head}GroupCheck`,
      (subject, group) =>
        new AuthorizationValue(objectType(`${head}GroupCheck`), {
          ...contentOf<Subject>(subject),
          resource: { ...emptyResource, group: group as string },
        }),
    ],
  ],
  serviceAccount: [
    [
      `.authorizer_serviceaccount(${head}Authorizer, string, string): ${head}Authorizer`,
      (subject, namespace, name) =>
        serviceAccount(contentOf<Subject>(subject), namespace as string, name as string),
    ],
  ],
  resource: [
    [
      `.groupcheck_resource(${head}GroupCheck, string): ${head}ResourceCheck`,
      (check, text) => named('resource', text as string, () => changed('resource')(check, text)),
    ],
  ],
  subresource: [
    [
      `.resourcecheck_subresource(${head}ResourceCheck, string): ${head}ResourceCheck`,
      changed('subresource'),
    ],
  ],
  namespace: [
    [
      `.resourcecheck_namespace(${head}ResourceCheck, string): ${head}ResourceCheck`,
      changed('namespace'),
    ],
  ],
  name: [
    [`.resourcecheck_name(${head}ResourceCheck, string): ${head}ResourceCheck`, changed('name')],
  ],
  fieldSelector: [
    [
      `.authorizer_fieldselector(${head}ResourceCheck, string): ${head}ResourceCheck`,
      changed('fieldSelector'),
    ],
  ],
  labelSelector: [
    [
      `.authorizer_labelselector(${head}ResourceCheck, string): ${head}ResourceCheck`,
      changed('labelSelector'),
    ],
  ],
  check: [
    [
      `.pathcheck_check(${head}PathCheck, string): ${head}Decision`,
      (check, verb) => {
        const content = contentOf<Subject & { readonly path: string }>(check)
        return decide(content, { verb: verb as string, path: content.path })
      },
    ],
    [
      `.resourcecheck_check(${head}ResourceCheck, string): ${head}Decision`,
      (check, verb) => {
        const content = contentOf<ResourceCheck>(check)
        return decide(content, { verb: verb as string, resource: content.resource })
      },
    ],
  ],
  allowed: [
    [`.decision_allowed(${head}Decision): bool`, (decision) => decisionOf(decision).isAllowed],
  ],
  reason: [
    [`.decision_reason(${head}Decision): string`, (decision) => decisionOf(decision).reason],
  ],
  errored: [
    [
      `.decision_errored(${head}Decision): bool`,
      (decision) => decisionOf(decision).error !== undefined,
    ],
  ],
  error: [
    [`.decision_error(${head}Decision): string`, (decision) => decisionOf(decision).error ?? ''],
  ],
})
