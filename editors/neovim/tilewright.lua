-- Neovim 0.11 or later: ~/.config/nvim/lsp/tilewright.lua, and `vim.lsp.enable("tilewright")` in init.lua.
-- It starts `tilewright lsp` for YAML, cards and case files; what is none of these is left alone.

vim.filetype.add({ extension = { jsonl = "jsonl" } })

return {
  cmd = { "tilewright", "lsp" },
  filetypes = { "yaml", "jsonl", "text" },
  root_markers = { ".git" },
  on_attach = function(client, buffer)
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
    if client:supports_method("textDocument/codeLens") then
      vim.lsp.codelens.refresh({ bufnr = buffer }) -- :lua vim.lsp.codelens.run() shows what no example reaches
    end
    if client:supports_method("textDocument/completion") then
      vim.lsp.completion.enable(true, client.id, buffer, { autotrigger = true })
    end
  end,
}
