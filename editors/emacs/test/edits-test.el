;;; edits-test.el --- Recovered edits -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of them, and what is done with one.

;;; Code:

(require 'fixture)
(require 'diff)

(defun ide-companion-test-with-edits (content body)
  "Call BODY in the list of one text, CONTENT, for the file a.txt of the test."
  (let* ((path (expand-file-name "a.txt" ide-companion-test-folder))
         (edits (list :id "0123abcd" :agent "Qwen Code" :filePath path :label "a.txt" :at 0 :reason "It ended."))
         (known (vector edits)))
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method (if (hash-table-p params) nil params))
                 (pcase method
                   (:companion/edits (list :edits known))
                   (:companion/readEdits (append edits (list :proposed "proposed" :content content)))
                   (:companion/discardEdits (setq known []))))))
      (ide-companion-edits)
      (funcall body path))))

(ide-companion-deftest "a message names recovered edits, and a list shows what can be done"
  (ide-companion--recovered '(:id "1" :label "a.js" :reason "It ended."))
  (should (member "Your edits of a.js are not in the file: It ended.  M-x ide-companion-edits lists them"
                  ide-companion-test-said))
  (ide-companion-test-with-edits
   "mine\n"
   (lambda (_)
     (should (equal (buffer-name (window-buffer)) "*ide-companion edits*"))
     (should (string-match-p "a\\.txt .* It ended\\. .*Qwen Code" (buffer-string)))
     (should (equal (car ide-companion-test-said)
                    "RET compares with the file, e by Ediff, r restores, D discards")))))

(ide-companion-deftest "at the start a message names only edits of open folders"
  (let ((ide-companion--roots '("/app"))
        (announce (lambda ()
                    (ide-companion--announce-stored :companion/edits "Your edits of %s are in no file"))))
    (let ((ide-companion-test-result '(:edits [(:filePath "/other/a.js" :label "/other/a.js")])))
      (funcall announce)
      (accept-process-output nil 0.01)
      (should-not ide-companion-test-said))
    (let ((ide-companion-test-result
           '(:edits [(:filePath "/app/a.js" :label "a.js") (:filePath "/application/b.js" :label "b.js")])))
      (funcall announce)
      (ide-companion-test-until (lambda () ide-companion-test-said)))
    (should (equal (car ide-companion-test-said) "Your edits of a.js are in no file"))))

(ide-companion-deftest "recovered edits are compared with their file"
  (ide-companion-test-file "a.txt" "one\n")
  (ide-companion-test-with-edits
   "mine\n"
   (lambda (_)
     (ide-companion-edits-diff)
     (with-current-buffer "*ide-companion diff*"
       (should (string-search "-one\n+mine" (buffer-string)))))))

(ide-companion-deftest "recovered edits are restored into the buffer of their file, byte for byte once that is saved"
  (dolist (texts '(("one\ntwo\n" . "one\nmine\n") ("one\n" . "\ufeffone\r\nmine\r\n") (nil . "mine")))
    (when (car texts) (ide-companion-test-file "a.txt" (car texts)))
    (ide-companion-test-with-edits
     (cdr texts)
     (lambda (path)
       (ide-companion-edits-restore)
       (should (equal (buffer-file-name (window-buffer)) path))
       (with-current-buffer (window-buffer)
         (should (buffer-modified-p))
         (let ((require-final-newline nil)) (save-buffer))
         (kill-buffer))
       (should (equal (with-temp-buffer
                        (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents path))
                        (buffer-string))
                      (cdr texts)))
       (delete-file path)))))

(ide-companion-deftest "recovered edits are the whole file, also in a buffer that shows a part of it"
  (with-current-buffer (find-file-noselect (ide-companion-test-file "a.txt" "one\ntwo\nthree\n"))
    (narrow-to-region 5 9))
  (ide-companion-test-with-edits
   "ONE\nTWO\nTHREE\n"
   (lambda (path)
     (ide-companion-edits-restore)
     (should (equal (buffer-string) "ONE\nTWO\nTHREE\n"))
     (save-buffer)
     (should (equal (with-temp-buffer (insert-file-contents path) (buffer-string)) "ONE\nTWO\nTHREE\n"))
     (undo-boundary) ; as after each command
     (let (last-command) (undo))
     (should (equal (buffer-string) "one\ntwo\nthree\n")))))

(ide-companion-deftest "recovered edits are discarded when that is confirmed"
  (let ((answers '(nil t)))
    (cl-letf (((symbol-function 'yes-or-no-p) (lambda (_) (pop answers))))
      (ide-companion-test-with-edits
       "mine\n"
       (lambda (_)
         (ide-companion-edits-discard)
         (should-not (ide-companion-test-sent :companion/discardEdits))
         (ide-companion-edits-discard)
         (should (equal (ide-companion-test-sent :companion/discardEdits) '((:id "0123abcd"))))
         (should (equal (car ide-companion-test-said) "There are no recovered edits")))))))

(provide 'edits-test)
;;; edits-test.el ends here
