import type { JsonObject } from 'setpoint/schema'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['ValidatingAdmissionPolicy']

function rule(group: string, ...resources: string[]): JsonObject {
  return { operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources }
}

function policy(name: string, spec: JsonObject, rules: readonly JsonObject[]): Step {
  return {
    create: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: `{ns}-${name}` },
      spec: { matchConstraints: { resourceRules: [...rules] }, ...spec },
    },
  }
}

/** Policies whose expressions are checked with the types of the objects that they match. */
export const policyScenarios: readonly Scenario[] = [
  {
    name: 'reports expressions that do not fit the types',
    kinds,
    steps: [
      policy('good', { validations: [{ expression: 'object.spec.replicas > 1' }] }, [
        rule('apps', 'deployments'),
      ]),
      policy(
        'bad',
        {
          validations: [
            { expression: 'object.spec.replica > 1' },
            {
              expression: 'object.spec.replicas > "1"',
              messageExpression: '"x" + object.metadata.nam',
            },
            { expression: 'oldObject.spec.template.spec.containers.all(c, c.imag != "")' },
            { expression: 'object.metadata.labels["a"] == 1' },
          ],
        },
        [rule('apps', 'deployments', 'statefulsets'), rule('', 'configmaps')],
      ),
      { read: 'checked' },
      {
        patch: 'ValidatingAdmissionPolicy/{ns}-bad',
        with: { spec: { validations: [{ expression: 'has(object.metadata)' }] } },
      },
      { read: 'corrected' },
    ],
  },
  {
    name: 'checks variables and parameters',
    kinds,
    steps: [
      policy(
        'variables',
        {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          variables: [
            { name: 'good', expression: 'object.spec.containers' },
            { name: 'bad', expression: 'object.spec.missing' },
          ],
          validations: [
            { expression: 'variables.good.size() > 0' },
            { expression: 'variables.good[0].nam == ""' },
            { expression: 'variables.bad == 1' },
            { expression: 'params.data["a"] == 1' },
            { expression: 'params.dat == "x"' },
            { expression: 'authorizer.path("/").check("get").allowed() && object.x' },
            {
              expression:
                'authorizer.requestResource.check("get").allowed() && object.spec.priority > 1',
            },
            { expression: 'object.spec.priority == 1 && namespaceObject.metadata.name == "x"' },
          ],
        },
        [rule('', 'pods')],
      ),
      { read: 'checked' },
    ],
  },
  {
    name: 'knows the types of special fields',
    kinds,
    steps: [
      policy(
        'special',
        {
          validations: [
            { expression: 'object.spec.containers[0].resources.limits["cpu"] == 1' },
            { expression: 'object.spec.containers[0].livenessProbe.httpGet.port == true' },
            { expression: 'object.metadata.creationTimestamp == "x"' },
            { expression: 'object.spec.containers[0].name == 1' },
            { expression: 'object.kind == 1' },
            { expression: 'object.spec.overhead == 1' },
            { expression: 'object.spec.volumes[0].persistentVolumeClaim.claim == "x"' },
          ],
        },
        [rule('', 'pods')],
      ),
      policy(
        'data',
        {
          validations: [
            { expression: 'object.data["a"] == 1' },
            { expression: 'object.stringData == 1' },
          ],
        },
        [rule('', 'secrets')],
      ),
      { read: 'checked' },
    ],
  },
  {
    name: 'checks nothing for wildcards, subresources and unknown resources',
    kinds,
    steps: [
      policy('any', { validations: [{ expression: 'object.missing == 1' }] }, [rule('*', '*')]),
      policy('all', { validations: [{ expression: 'object.missing == 1' }] }, [rule('', '*')]),
      policy('scale', { validations: [{ expression: 'object.missing == 1' }] }, [
        rule('apps', 'deployments/scale'),
      ]),
      policy('unknown', { validations: [{ expression: 'object.missing == 1' }] }, [
        rule('example.com', 'nothings'),
      ]),
      { read: 'checked' },
    ],
  },
]
