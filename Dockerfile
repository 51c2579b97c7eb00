# A slim image that scores offline and as an ordinary user:
#   docker build -t esascore .
#   docker run --rm --network none -v "$PWD:/data" esascore score corpus.jsonl system.txt
# Where your user id is not 1000, add --user "$(id -u)" to commands that write files.
FROM python:3.12-slim AS build
WORKDIR /build
COPY . .
RUN python -m pip install --no-cache-dir --prefix /install '.[rdf,bleu,stats]'

FROM python:3.12-slim
COPY --from=build /install /usr/local
RUN useradd --create-home --uid 1000 esascore
USER esascore
WORKDIR /data
ENTRYPOINT ["esascore"]
CMD ["--help"]
