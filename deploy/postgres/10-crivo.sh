#!/bin/bash
# What PostgreSQL's own image runs once, on an empty volume: the role that owns crivo's database. It is no superuser; it may make
# roles, because crivo makes the one that owns nothing (crivo_app) and acts as that.
set -euo pipefail
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set "senha=$SENHA_DO_BANCO" <<'SQL'
create role crivo login createrole password :'senha';
create database crivo owner crivo encoding 'UTF8' template template0;
revoke connect on database crivo from public;
SQL
