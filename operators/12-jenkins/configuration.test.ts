import { expect, test } from 'vitest'
import { configuration, files } from './configuration.ts'
import { Jenkins, type Project } from './jenkins.ts'

function jenkins(spec: object): Project {
  const metadata = {
    name: 'shop',
    namespace: 'teams',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  const { apiVersion, kind } = Jenkins
  return { ...Jenkins.parse({ apiVersion, kind, metadata, spec }), metadata }
}

test('only the administrator can log in, with the generated password', () => {
  expect(configuration(jenkins({}))).toMatchObject({
    jenkins: {
      securityRealm: {
        local: {
          allowsSignup: false,
          users: [{ id: '${admin-username}', password: '${admin-password}' }],
        },
      },
      authorizationStrategy: { loggedInUsersCanDoAnything: { allowAnonymousRead: false } },
    },
    unclassified: { location: { url: 'http://shop.teams.svc:8080/' } },
  })
})

test('the configuration of the spec is merged over the defaults', () => {
  const tree = configuration(
    jenkins({
      configuration: {
        jenkins: { numExecutors: 5, labelString: 'shop' },
        unclassified: { location: { adminAddress: 'ci@example.com' } },
      },
    }),
  )
  expect(tree).toMatchObject({
    jenkins: { numExecutors: 5, labelString: 'shop', securityRealm: {} },
    unclassified: {
      location: { url: 'http://shop.teams.svc:8080/', adminAddress: 'ci@example.com' },
    },
  })
})

test('credentials are references to files of their Secrets', () => {
  const credentials = [
    { id: 'registry', type: 'basic-auth', secretName: 'r' },
    { id: 'deploy', type: 'ssh-auth', secretName: 's', description: 'deploys' },
    { id: 'token', type: 'text', secretName: 't' },
  ]
  const scope = 'GLOBAL'
  expect(configuration(jenkins({ credentials }))['credentials']).toEqual({
    system: {
      domainCredentials: [
        {
          credentials: [
            {
              usernamePassword: {
                scope,
                id: 'registry',
                description: '',
                username: '${registry-username}',
                password: '${registry-password}',
              },
            },
            {
              basicSSHUserPrivateKey: {
                scope,
                id: 'deploy',
                description: 'deploys',
                username: '${deploy-username}',
                privateKeySource: { directEntry: { privateKey: '${deploy-ssh-privatekey}' } },
              },
            },
            { string: { scope, id: 'token', description: '', secret: '${token-text}' } },
          ],
        },
      ],
    },
  })
})

test('the plug-ins of the spec and those that the configuration needs are installed', () => {
  const list = (spec: object) => files(jenkins(spec)).data?.['plugins.txt']
  expect(list({})).toBe('configuration-as-code:latest\n')
  expect(
    list({
      plugins: [{ name: 'git' }, { name: 'credentials', version: '1.2' }],
      credentials: [{ id: 'a', type: 'text', secretName: 'a' }],
      jobs: [{ name: 'a', pipeline: 'node {}' }],
    }),
  ).toBe(
    [
      'configuration-as-code:latest',
      'credentials:1.2',
      'plain-credentials:latest',
      'ssh-credentials:latest',
      'workflow-aggregator:latest',
      'git:latest',
      '',
    ].join('\n'),
  )
})
