/** The user of the process: not root. The generated Deployment names the same one. */
const userId = 65532

/** Marks a Dockerfile that `setpoint build` may overwrite. */
const marker = 'Made by `setpoint build`.'

/** The last stage: Node, the libraries it is linked with, and the bundle. */
function imageStage(copyBundle: string): string {
  return `# Only Node, the libraries it is linked with, and the bundle: no shell, no package manager.
FROM scratch
COPY --from=node /lib/ld-musl-*.so.1 /lib/
COPY --from=node /usr/lib/libstdc++.so.6 /usr/lib/libgcc_s.so.1 /usr/lib/
COPY --from=node /usr/local/bin/node /usr/local/bin/node
${copyBundle}
USER ${userId}:${userId}
ENV NODE_ENV=production
EXPOSE 8081
ENTRYPOINT ["/usr/local/bin/node", "--enable-source-maps", "/app/operator.mjs"]
`
}

/** The Dockerfile that `setpoint build` writes next to a bundle of these files. */
export function bundleDockerfile(files: readonly string[]): string {
  // COPY copies the content of a folder, not the folder.
  const folders = new Set(files.flatMap((file) => /^([^/]+)\//.exec(file)?.[1] ?? []))
  const copies = [
    `COPY ${files.filter((file) => !file.includes('/')).join(' ')} /app/`,
    ...[...folders].sort().map((folder) => `COPY ${folder}/ /app/${folder}/`),
  ]
  return `# docker build -t IMAGE DIST, where DIST is the folder of this file. ${marker}
FROM node:24-alpine AS node

${imageStage(copies.join('\n'))}`
}

/** Whether `setpoint build` wrote this Dockerfile, so that it may overwrite it. */
export function isBundleDockerfile(text: string): boolean {
  return text.includes(marker)
}

/**
 * The Dockerfile of a new project: runs `setpoint build` in its first stage. With `hasTarballs` the
 * project has packages in `vendor/`.
 */
export function projectDockerfile({
  hasTarballs,
  hasHelm,
}: {
  readonly hasTarballs: boolean
  readonly hasHelm: boolean
}): string {
  const copies = [
    ...(hasHelm ? ['COPY --from=helm /usr/bin/helm /usr/bin/helm'] : []),
    'COPY --from=build /build/dist/ /app/',
  ]
  return `# docker build -t IMAGE . ; .dockerignore lists the files that are copied.
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
${hasTarballs ? 'COPY vendor vendor\n' : ''}RUN npm ci
COPY tsconfig.json ./
COPY src src
RUN npx setpoint build

FROM node:24-alpine AS node

${hasHelm ? 'FROM alpine/helm:3 AS helm\n\n' : ''}${imageStage(copies.join('\n'))}`
}
