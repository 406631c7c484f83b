#!/bin/sh
# The PostgreSQL image runs this once, on an empty volume. It creates a role that owns the schema and one that serves.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
    --set=owner_password="$OWNER_PASSWORD" --set=service_password="$SERVICE_PASSWORD" <<'SQL'
create role service_owner login password :'owner_password';
create role service login password :'service_password';
create database service owner service_owner;
revoke all on database service from public;
grant connect on database service to service;
\connect service
alter default privileges for role service_owner grant usage on schemas to service;
alter default privileges for role service_owner grant select, insert, update, delete on tables to service;
alter default privileges for role service_owner grant usage, select on sequences to service;
SQL
