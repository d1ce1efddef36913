import { type PolicyDeclaration, reviewedNamespaces, validationOf } from '../admission/index.ts'
import { asSelector } from '../kinds/label-selector.ts'
import type { AnyOperator, OperatorDeclaration } from '../operator/index.ts'

/** A policy or a binding. */
export interface PolicyObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1'
  readonly kind: `${'Mutating' | 'Validating'}AdmissionPolicy${'' | 'Binding'}`
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>>
}

/** What only a deployment knows. */
export interface PolicyObjectOptions {
  /** The name and the namespace of a deployment. Each deployment has its own objects. */
  readonly deployment?: { readonly name: string; readonly namespace: string } | undefined
  /** Restricts every operator to these namespaces, as the option of `start`. */
  readonly namespaces?: readonly string[] | undefined
}

/** The objects of the policies of operators: each policy and then its binding. */
export function policyObjects(
  operators: readonly AnyOperator[],
  options: PolicyObjectOptions = {},
): PolicyObject[] {
  return operators.flatMap(({ declaration }) =>
    declaration.policies.flatMap((policy) => {
      const { mutations, reinvocationPolicy = 'Never' } = policy.options
      const name = policyName(policy, declaration, options)
      const spec = commonSpec(policy, declaration, options)
      const bound = bindingSpec(policy, name)
      if (mutations === undefined) {
        return [
          object('ValidatingAdmissionPolicy', name, { ...spec, ...reviewSpec(policy) }),
          object('ValidatingAdmissionPolicyBinding', name, {
            ...bound,
            validationActions: [...(policy.options.actions ?? ['Deny'])],
          }),
        ]
      }
      const changes = mutations.map(({ applyConfiguration, jsonPatch }) =>
        jsonPatch === undefined
          ? {
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression: applyConfiguration },
            }
          : { patchType: 'JSONPatch', jsonPatch: { expression: jsonPatch } },
      )
      return [
        object('MutatingAdmissionPolicy', name, {
          ...spec,
          mutations: changes,
          reinvocationPolicy,
        }),
        object('MutatingAdmissionPolicyBinding', name, bound),
      ]
    }),
  )
}

function object(
  kind: PolicyObject['kind'],
  name: string,
  spec: PolicyObject['spec'],
): PolicyObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec }
}

/** The name of a policy and its binding: `no-latest.pod-rules`, and the deployment if there is one. */
function policyName(
  { name }: PolicyDeclaration,
  { options }: OperatorDeclaration,
  { deployment }: PolicyObjectOptions,
): string {
  const place = deployment === undefined ? [] : [deployment.name, deployment.namespace]
  return [name, ...options.name.split('.'), ...place]
    .map((label) =>
      label
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, ''),
    )
    .filter((label) => label !== '')
    .join('.')
}

/** What policies of both kinds have. */
function commonSpec(
  { kind, subresource, operations, options }: PolicyDeclaration,
  { definition, options: { namespaces: own } }: OperatorDeclaration,
  { deployment, namespaces }: PolicyObjectOptions,
): PolicyObject['spec'] {
  const { failurePolicy = 'Fail', matchPolicy = 'Equivalent', objectSelector, params } = options
  const namespaceSelector = reviewedNamespaces({
    kind,
    selector: options.namespaceSelector,
    isOwnKind: definition !== undefined,
    namespaces: namespaces ?? (Array.isArray(own) ? (own as readonly string[]) : undefined),
    ownNamespace: deployment?.namespace,
  })
  const conditions = namedExpressions(options.matchConditions)
  const variables = namedExpressions(options.variables)
  return {
    failurePolicy,
    ...(params === undefined
      ? {}
      : { paramKind: { apiVersion: params.kind.apiVersion, kind: params.kind.kind } }),
    matchConstraints: {
      matchPolicy,
      resourceRules: [
        {
          apiGroups: [kind.group],
          apiVersions: [kind.version],
          resources: [subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`],
          operations: [...operations],
          scope: kind.scope,
        },
      ],
      ...(objectSelector === undefined ? {} : { objectSelector: asSelector(objectSelector) }),
      ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    },
    ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
    ...(variables.length === 0 ? {} : { variables }),
  }
}

function namedExpressions(
  expressions: Readonly<Record<string, string>> = {},
): { readonly name: string; readonly expression: string }[] {
  return Object.entries(expressions).map(([name, expression]) => ({ name, expression }))
}

function reviewSpec({ options }: PolicyDeclaration): PolicyObject['spec'] {
  const { rules = [], auditAnnotations = {} } = options
  const annotations = Object.entries(auditAnnotations).map(([key, valueExpression]) => ({
    key,
    valueExpression,
  }))
  return {
    ...(rules.length === 0 ? {} : { validations: rules.map(validationOf) }),
    ...(annotations.length === 0 ? {} : { auditAnnotations: annotations }),
  }
}

function bindingSpec({ options: { params } }: PolicyDeclaration, name: string) {
  if (params === undefined) return { policyName: name }
  const { namespace, selector, parameterNotFoundAction = 'Deny' } = params
  const chosen = selector === undefined ? { name: params.name } : { selector: asSelector(selector) }
  return {
    policyName: name,
    paramRef: {
      ...chosen,
      ...(namespace === undefined ? {} : { namespace }),
      parameterNotFoundAction,
    },
  }
}
