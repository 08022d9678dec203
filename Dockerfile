# An image that holds nothing but the program: `cargo xtask dist` builds it without any library of the system.
#   docker build --build-arg PROGRAM=target/x86_64-unknown-linux-musl/dist/rely -t rely .
#   docker run --rm -v "$PWD:/models" rely check model.lts
FROM scratch
ARG PROGRAM
COPY ${PROGRAM} /rely
WORKDIR /models
ENTRYPOINT ["/rely"]
