#!/bin/bash
node index.mjs
