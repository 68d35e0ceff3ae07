;;; text-test.el --- Texts, byte by byte -*- lexical-binding: t; -*-

;;; Commentary:

;; What comes in goes out, whatever it holds.

;;; Code:

(require 'fixture)

(ide-companion-deftest "a text leaves a buffer as it came in"
  (dolist (text '("" "\n" "a" "a\n" "a\nb" "a\r\nb\r\n" "a\r\nb" "a\nb\r\nc\n" "\r\n" "\n\r\n" "a\r" "\ufeffa\n"
                  "\ufeffa\r\nb\r\n" "\ufeff" "tab\there\n\n\n" "Ünïcödé 😀\n" "\0null\n" "\f\v\e[0m\n"))
    (with-temp-buffer
      (ide-companion--put-text text)
      (should-not (buffer-modified-p))
      (should (equal (list text (ide-companion--get-text (current-buffer)))
                     (list text text))))))

(ide-companion-deftest "line ends stay when text is typed between them"
  (with-temp-buffer
    (ide-companion--put-text "one\r\ntwo\r\n")
    (should (equal (buffer-string) "one\ntwo\n"))
    (goto-char (point-max))
    (insert "three\n")
    (should (equal (ide-companion--get-text (current-buffer)) "one\r\ntwo\r\nthree\r\n"))))

(ide-companion-deftest "a narrowed buffer gives its whole text"
  (with-temp-buffer
    (ide-companion--put-text "one\ntwo\n")
    (narrow-to-region 1 2)
    (should (equal (ide-companion--get-text (current-buffer)) "one\ntwo\n"))))

(ide-companion-deftest "an undo does not empty a proposal"
  (with-temp-buffer
    (buffer-enable-undo)
    (ide-companion--put-text "one\n")
    (should-error (undo))
    (should (equal (buffer-string) "one\n"))))

(ide-companion-deftest "what JSON cannot hold is replaced"
  (should (equal (ide-companion--unicode "a\ud83d\ud83d😀") "a\ufffd\ufffd😀"))
  (should (equal (ide-companion--unicode "a\377") "a\ufffd"))
  (should (equal (ide-companion--unicode (string-to-multibyte "\200z")) "\ufffdz")))

(provide 'text-test)
;;; text-test.el ends here
